"""What may be wrong with an installation, and what to do about it. Looks only; changes nothing."""
