/* SPDX-License-Identifier: Apache-2.0
 *
 * The three functions that nvtxw3_loader.h declares and the wheel of headers does not bring: what
 * its comments say, on POSIX, as far as the helper functions need it. The search is dlopen's; the
 * places beside the executable are tested with our own loader (backends/nvtxw/loader_test.cc).
 *
 * Threads: any. Lifetime: a module stays loaded until nvtxwUnload.
 * Errors: NVTXW's result codes, with dlerror()'s sentence in nvtxwGetError. */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

#include "nvtxw_helpers.h"

nvtxwResultCode_t nvtxwLoad(const char* library, nvtxwGetInterface_t* get_interface_out,
                            nvtxwModuleHandle_t* module_out) {
  const char* wished = getenv(NVTXW_LIBRARY_ENV_VAR);
  void* module;
  void* symbol;
  if (get_interface_out == NULL) return NVTXW_RESULT_INVALID_ARGUMENT;
  if (wished == NULL || *wished == '\0') wished = library;
  if (wished == NULL) wished = NVTXW_LIB_FILENAME_DEFAULT;
  module = dlopen(wished, RTLD_NOW | RTLD_LOCAL);
  if (module == NULL) return NVTXW_RESULT_LIBRARY_NOT_FOUND;
  symbol = dlsym(module, NVTXW_GET_INTERFACE_SYMBOL_NAME);
  if (symbol == NULL) {
    dlclose(module);
    return NVTXW_RESULT_LIBRARY_SYMBOL_MISSING;
  }
  memcpy(get_interface_out, &symbol, sizeof symbol);
  if (module_out != NULL) *module_out = module;
  return NVTXW_RESULT_SUCCESS;
}

void nvtxwUnload(nvtxwModuleHandle_t module) {
  nvtxwFinalize_t finalize = NULL;
  void* symbol;
  if (module == NULL) return;
  symbol = dlsym(module, NVTXW_FINALIZE_SYMBOL_NAME);
  memcpy(&finalize, &symbol, sizeof symbol);
  if (finalize != NULL) finalize();
  dlclose(module);
}

size_t nvtxwGetError(nvtxwResultCode_t code, char* message_out, size_t message_out_len) {
  const char* detail = code == NVTXW_RESULT_LIBRARY_NOT_FOUND ? dlerror() : NULL;
  int length;
  if (message_out == NULL || message_out_len == 0) return 0;
  length = snprintf(message_out, message_out_len, "NVTXW result %d%s%s", (int)code,
                    detail != NULL ? ": " : "", detail != NULL ? detail : "");
  if (length < 0) return 0;
  return (size_t)length < message_out_len ? (size_t)length : message_out_len - 1;
}
