"""What only backgammon knows: positions, gammons, and what a match is worth that somebody has left."""
