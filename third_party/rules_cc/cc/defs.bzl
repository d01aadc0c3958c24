# SPDX-License-Identifier: Apache-2.0
"""Stands in for the repository rules_cc, which cannot be fetched without a network.

Debian's bazel-bootstrap 4.2.3 still has the C++ rules built in; what its own files and ours load
from rules_cc is those rules under another name.
"""

cc_binary = native.cc_binary
cc_import = native.cc_import
cc_library = native.cc_library
cc_proto_library = native.cc_proto_library
cc_test = native.cc_test
cc_toolchain = native.cc_toolchain
cc_toolchain_suite = native.cc_toolchain_suite
objc_library = native.objc_library
