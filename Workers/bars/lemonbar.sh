#!/bin/sh
# What is clicked comes out as a command.
quakes-summary --follow --format lemonbar | lemonbar | sh
