#!/bin/sh
# Lays beside the programs in the folder ROOT what they need to run without a distribution: assemble.sh ROOT PROGRAM...
#
# That is the shared libraries that the programs, named by their paths in ROOT, load; the time zones; the licences of the
# Debian packages that these come from; and those packages' entries in dpkg's database, in the form that scanners know from
# distroless images (/var/lib/dpkg/status.d), so that they find what has to be updated.
set -eu
root=$1
shift

install -d "$root/usr/lib" "$root/usr/lib64" "$root/var/lib/dpkg/status.d"
ln -s usr/lib "$root/lib"
ln -s usr/lib64 "$root/lib64"

# Copies a file, and the link by which it is known, to where they are here; prints the package it is of.
take() {
  file=$(realpath "$1")
  folder=$(realpath "$(dirname "$1")")
  install -D -m "$(stat -c %a "$file")" "$file" "$root$file"
  if [ "$folder/$(basename "$1")" != "$file" ]; then
    install -d "$root$folder"
    ln -sf "$file" "$root$folder/$(basename "$1")"
  fi
  # dpkg knows a file by the path it was shipped under, which may lack the `/usr` that it has now.
  dpkg-query -S "$file" 2>/dev/null || dpkg-query -S "${file#/usr}"
}

packages=$(
  for program; do
    libraries=$(ldd "$root$program")
    case $libraries in *'not found'*) echo "$program: $libraries" >&2; exit 1 ;; esac
    # `name => path (address)`, and for the loader `path (address)`. The kernel's own object has no path.
    echo "$libraries" | awk '$2 == "=>" { print $3; next } $1 ~ /^\// { print $1 }'
  done | sort -u | while read -r library; do take "$library"; done | cut -d: -f1 | sort -u
)

# The zones of tzdata under all their names, but the copies that count leap seconds or have POSIX's name; and its version,
# where the program looks for it.
zones=/usr/share/zoneinfo
(cd "$zones" && find . -type d \( -name right -o -name posix \) -prune -o \( -type f -o -type l \) -print) | while read -r zone; do
  case $zone in ./posixrules | ./localtime | *.tab | *.list | *.zi | ./leapseconds) continue ;; esac
  install -d "$root$zones/$(dirname "$zone")"
  cp -P "$zones/$zone" "$root$zones/$zone"
done
awk '{ print $3; exit }' "$zones/tzdata.zi" >"$root$zones/+VERSION"

for package in $packages tzdata; do
  dpkg-query -s "$package" >"$root/var/lib/dpkg/status.d/$package"
  install -D -m 644 "/usr/share/doc/$package/copyright" "$root/usr/share/doc/$package/copyright"
done
# The licences that those texts refer to.
grep -ohr '/usr/share/common-licenses/[A-Za-z0-9.-]*[A-Za-z0-9]' "$root/usr/share/doc" | sort -u | while read -r licence; do
  if [ -e "$licence" ]; then install -D -m 644 "$(realpath "$licence")" "$root$licence"; fi
done

install -D -m 644 /usr/lib/os-release "$root/usr/lib/os-release"
install -d "$root/etc" "$root/dev" "$root/proc" "$root/sys"
ln -s ../usr/lib/os-release "$root/etc/os-release"
cat >"$root/etc/passwd" <<'PASSWD'
root:x:0:0:root:/:/nonexistent
cellfactory:x:65532:65532:cellfactory:/:/nonexistent
PASSWD
cat >"$root/etc/group" <<'GROUP'
root:x:0:
cellfactory:x:65532:
GROUP
echo 'hosts: files dns' >"$root/etc/nsswitch.conf"
