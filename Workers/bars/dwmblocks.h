/* In blocks[]: icon, command, interval in seconds, signal. */
{"", "quakes-summary --format dwmblocks --max-width 60", 60, 0},
