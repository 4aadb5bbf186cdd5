#!/bin/sh
# The command of a Generic Monitor with a period of 60 s.
exec quakes-summary --format genmon --max-width 60
