#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Runs a program as a test: its exit code is the result.
exec "$@"
