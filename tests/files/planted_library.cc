// SPDX-License-Identifier: Apache-2.0
//
// What somebody would have a program with more rights load: says that it was.
#include <stdio.h>

__attribute__((constructor)) static void say_so() { puts("PLANTED"); }
