#!/bin/sh
# Copies Documents to the external disk, keeping one folder a day.
set -eu
today=$(date +%Y-%m-%d)
target=/Volumes/Backup/$today
mkdir -p "$target"
rsync -a --delete --link-dest=/Volumes/Backup/latest "$HOME/Documents/" "$target/"
ln -sfn "$target" /Volumes/Backup/latest
