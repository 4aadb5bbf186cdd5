-- In `commands`; then %quakes% in `template`.
Run CommandReader "exec quakes-summary --follow --format xmobar" "quakes"
