#!/bin/sh
set -e
cat >rotate.sh <<'END'
#!/bin/sh
file=$1
keep=$2
fail() {
  echo "rotate.sh: $1" >&2
  exit 2
}
[ -n "$file" ] && [ -f "$file" ] || fail "no such file: $file"
case $keep in
'' | *[!0-9]*) fail "KEEP must be a whole number" ;;
esac
[ "$keep" -ge 1 ] || fail "KEEP must be at least 1"

last=0
for old in "$file".*; do
  number=${old##*.}
  case $number in
  '' | *[!0-9]*) continue ;;
  esac
  if [ "$number" -gt "$last" ]; then last=$number; fi
done
while [ "$last" -ge 1 ]; do
  if [ -f "$file.$last" ]; then
    if [ "$last" -ge "$keep" ]; then rm "$file.$last"; else mv "$file.$last" "$file.$((last + 1))"; fi
  fi
  last=$((last - 1))
done
mv "$file" "$file.1"
: >"$file"
END
