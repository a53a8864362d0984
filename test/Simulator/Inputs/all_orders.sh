#!/usr/bin/env bash
# all_orders.sh FILE [heddle simulate's options]: the program in fair, random and
# adversarial orders; each must agree with the oracle. Prints what the fair one
# printed, or what failed.
set -euo pipefail
first=$(heddle simulate "$@" --order=fair) || { echo "fair: $first"; exit 1; }
for order in random adversarial; do
  output=$(heddle simulate "$@" --order=$order --schedules 6) ||
    { echo "$order: $output"; exit 1; }
  if [ "$(sort -u <<< "$output")" != "$(sort -u <<< "$first")" ]; then
    echo "$order differs from fair: $output"
    exit 1
  fi
done
echo "$first"
