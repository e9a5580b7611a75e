#!/bin/sh
set -e
cd photos
for name in *; do
  new=$(printf '%s' "$name" | tr '[:upper:]' '[:lower:]' | sed -e 's/[ _][ _]*/-/g' -e 's/\.jpeg$/.jpg/')
  if [ "$name" != "$new" ]; then mv "$name" "$new"; fi
done
