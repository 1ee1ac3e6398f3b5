"""Speed, measured in one run: medians and ratios to a floor, never single absolute times; nothing here is asserted."""
