"""Rules: each says what it looks for, why it matters, how to mend it, and when it is silent."""
