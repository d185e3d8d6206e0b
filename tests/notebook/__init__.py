"""The notebook front end."""
