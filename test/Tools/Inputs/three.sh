#!/bin/sh
# Every point takes three.
while read -r point; do echo '{"value": 3}'; done
