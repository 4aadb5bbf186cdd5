#!/bin/sh
# In the plugin folder of SwiftBar or xbar.
exec quakes-summary --format swiftbar --min-magnitude 4.5
