"""A service under attack: its parts are killed at random while clients report results, then it is audited."""
