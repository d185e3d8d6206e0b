"""Framework-free: shape algebra, axis identity, transfer of axes through operations, recording."""
