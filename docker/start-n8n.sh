#!/bin/sh
# Puts the nodes where n8n keeps community packages, which is in the volume of its data, and starts n8n as its image does.
set -eu
packages="${N8N_USER_FOLDER:-$HOME}/.n8n/nodes/node_modules"
mkdir -p "$packages"
rm -rf "$packages/n8n-nodes-brokerage"
cp -R /opt/n8n-nodes-brokerage "$packages/n8n-nodes-brokerage"
exec /docker-entrypoint.sh "$@"
