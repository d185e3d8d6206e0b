"""A checked cell behaves as the same cell without the magic."""
