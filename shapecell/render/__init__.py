"""Pictures of a report: one layout of a diagram, text and HTML made from it."""
