# SPDX-License-Identifier: Apache-2.0
"""The version of what //dist makes. SOVERSION rises when a program would have to be compiled again."""

VERSION = "0.1.0"
SOVERSION = "0"
