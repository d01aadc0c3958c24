// SPDX-License-Identifier: Apache-2.0
#include "ringscribe/inject/core_calls.h"

#include <unistd.h>

#include <cstdint>
#include <string_view>
#include <type_traits>

#include "ringscribe/inject/live_calls.h"
#include "ringscribe/inject/recording.h"
#include "ringscribe/runtime/runtime.h"

namespace ringscribe::inject {

namespace {

TracedDomain& of(nvtxDomainHandle_t domain) { return Recording::process().domain(domain); }
TracedDomain& default_domain() { return Recording::process().domain(); }

const char* as_utf8(const char* text) { return text == nullptr ? "" : text; }
const char* as_utf8(const wchar_t* text) {
  return text == nullptr ? "" : to_utf8(this_thread(), text);
}

// --- Events.

template <typename Attributes>
auto reader(Attributes attributes) {
  return [attributes](LiveEvent& event) { return event.read(attributes); };
}

template <typename Attributes>
void NVTX_API mark_default(Attributes attributes) {
  mark(default_domain(), reader(attributes));
}
template <typename Attributes>
int NVTX_API push_default(Attributes attributes) {
  return push(default_domain(), reader(attributes));
}
int NVTX_API pop_default() { return pop(default_domain()); }
template <typename Attributes>
nvtxRangeId_t NVTX_API start_default(Attributes attributes) {
  return start(default_domain(), reader(attributes));
}
void NVTX_API end_default(nvtxRangeId_t id) { end(default_domain(), id); }

void NVTX_API domain_mark(nvtxDomainHandle_t domain, const nvtxEventAttributes_t* attributes) {
  mark(of(domain), reader(attributes));
}
int NVTX_API domain_push(nvtxDomainHandle_t domain, const nvtxEventAttributes_t* attributes) {
  return push(of(domain), reader(attributes));
}
int NVTX_API domain_pop(nvtxDomainHandle_t domain) { return pop(of(domain)); }
nvtxRangeId_t NVTX_API domain_start(nvtxDomainHandle_t domain,
                                    const nvtxEventAttributes_t* attributes) {
  return start(of(domain), reader(attributes));
}
void NVTX_API domain_end(nvtxDomainHandle_t domain, nvtxRangeId_t id) { end(of(domain), id); }

// --- Names.

template <typename Char>
void NVTX_API name_category(uint32_t category, const Char* name) {
  default_domain().name_category(category, as_utf8(name));
}
template <typename Char>
void NVTX_API domain_name_category(nvtxDomainHandle_t domain, uint32_t category, const Char* name) {
  of(domain).name_category(category, as_utf8(name));
}

template <typename Char>
void NVTX_API name_thread(uint32_t thread, const Char* name) {
  const char* const text = as_utf8(name);
  default_domain().name_resource(NVTX_RESOURCE_TYPE_GENERIC_THREAD_NATIVE, thread, text);
  // Its row takes the name if none of its events was read before.
  if (thread == static_cast<uint32_t>(::gettid()) && default_domain().is_enabled())
    runtime::Runtime::process().threads().set_thread_name(text);
}

template <typename Char>
nvtxStringHandle_t NVTX_API register_string(nvtxDomainHandle_t domain, const Char* text) {
  return reinterpret_cast<nvtxStringHandle_t>(of(domain).string_handle(as_utf8(text)));
}

template <typename Char>
nvtxDomainHandle_t NVTX_API create_domain(const Char* name) {
  const std::string_view text = as_utf8(name);
  return Recording::process().create_domain(text.empty() ? "(unnamed)" : text);
}
// Handles stay good: what a destroyed domain has recorded is read later, and the next domain of the
// name is the same.
void NVTX_API destroy_domain(nvtxDomainHandle_t) {}
void NVTX_API initialize(const void*) {}

nvtxResourceHandle_t NVTX_API create_resource(nvtxDomainHandle_t domain,
                                              nvtxResourceAttributes_t* attributes) {
  if (attributes == nullptr || attributes->size < sizeof(nvtxResourceAttributes_t)) return nullptr;
  const char* name = "";
  if (attributes->messageType == NVTX_MESSAGE_TYPE_ASCII)
    name = as_utf8(attributes->message.ascii);
  else if (attributes->messageType == NVTX_MESSAGE_TYPE_UNICODE)
    name = as_utf8(attributes->message.unicode);
  else if (attributes->messageType == NVTX_MESSAGE_TYPE_REGISTERED)
    name = of(domain).string_text(attributes->message.registered);
  of(domain).name_resource(attributes->identifierType, attributes->identifier.ullValue, name);
  // Nothing is looked up by it.
  return reinterpret_cast<nvtxResourceHandle_t>(uintptr_t{1});
}
void NVTX_API destroy_resource(nvtxResourceHandle_t) {}

// nvToolsExtCuda.h, nvToolsExtCudaRt.h and nvToolsExtOpenCL.h have these numbers, but take the
// headers of CUDA and OpenCL.
constexpr int32_t resource_type(int32_t api, int32_t index) { return api << 16 | index; }
constexpr int32_t kCuda = 4, kCudaRuntime = 5, kOpenCl = 6;

// Objects of CUDA and OpenCL: numbers and addresses that get a name.
template <int32_t kType, typename Object, typename Char>
void NVTX_API name_object(Object object, const Char* name) {
  uint64_t identifier;
  if constexpr (std::is_pointer_v<Object>)
    identifier = reinterpret_cast<uint64_t>(object);
  else
    identifier = static_cast<uint64_t>(object);
  default_domain().name_resource(kType, identifier, as_utf8(name));
}

// --- Tables.

// A module's table: callback numbers to the places of the function pointers.
class Module {
 public:
  Module(const NvtxExportTableCallbacks& callbacks, NvtxCallbackModule module) {
    if (callbacks.GetModuleFunctionTable(module, &table_, &size_) == 0) size_ = 0;
  }
  template <typename Function>
  void set(int callback, Function* function) const {
    const auto index = static_cast<unsigned>(callback);
    if (index < size_ && table_[index] != nullptr)
      *table_[index] = reinterpret_cast<NvtxFunctionPointer>(function);
  }
  // Both forms of a function that names an object.
  template <int32_t kType, typename Object>
  void set_names(int callback_a) const {
    set(callback_a, name_object<kType, Object, char>);
    set(callback_a + 1, name_object<kType, Object, wchar_t>);
  }

 private:
  NvtxFunctionTable table_ = nullptr;
  unsigned size_ = 0;
};

}  // namespace

void attach_core(const NvtxExportTableCallbacks& table) {
  const Module core(table, NVTX_CB_MODULE_CORE);
  using Attributes = const nvtxEventAttributes_t*;
  core.set(NVTX_CBID_CORE_MarkEx, mark_default<Attributes>);
  core.set(NVTX_CBID_CORE_MarkA, mark_default<const char*>);
  core.set(NVTX_CBID_CORE_MarkW, mark_default<const wchar_t*>);
  core.set(NVTX_CBID_CORE_RangeStartEx, start_default<Attributes>);
  core.set(NVTX_CBID_CORE_RangeStartA, start_default<const char*>);
  core.set(NVTX_CBID_CORE_RangeStartW, start_default<const wchar_t*>);
  core.set(NVTX_CBID_CORE_RangeEnd, end_default);
  core.set(NVTX_CBID_CORE_RangePushEx, push_default<Attributes>);
  core.set(NVTX_CBID_CORE_RangePushA, push_default<const char*>);
  core.set(NVTX_CBID_CORE_RangePushW, push_default<const wchar_t*>);
  core.set(NVTX_CBID_CORE_RangePop, pop_default);
  core.set(NVTX_CBID_CORE_NameCategoryA, name_category<char>);
  core.set(NVTX_CBID_CORE_NameCategoryW, name_category<wchar_t>);
  core.set(NVTX_CBID_CORE_NameOsThreadA, name_thread<char>);
  core.set(NVTX_CBID_CORE_NameOsThreadW, name_thread<wchar_t>);

  const Module core2(table, NVTX_CB_MODULE_CORE2);
  core2.set(NVTX_CBID_CORE2_DomainMarkEx, domain_mark);
  core2.set(NVTX_CBID_CORE2_DomainRangeStartEx, domain_start);
  core2.set(NVTX_CBID_CORE2_DomainRangeEnd, domain_end);
  core2.set(NVTX_CBID_CORE2_DomainRangePushEx, domain_push);
  core2.set(NVTX_CBID_CORE2_DomainRangePop, domain_pop);
  core2.set(NVTX_CBID_CORE2_DomainResourceCreate, create_resource);
  core2.set(NVTX_CBID_CORE2_DomainResourceDestroy, destroy_resource);
  core2.set(NVTX_CBID_CORE2_DomainNameCategoryA, domain_name_category<char>);
  core2.set(NVTX_CBID_CORE2_DomainNameCategoryW, domain_name_category<wchar_t>);
  core2.set(NVTX_CBID_CORE2_DomainRegisterStringA, register_string<char>);
  core2.set(NVTX_CBID_CORE2_DomainRegisterStringW, register_string<wchar_t>);
  core2.set(NVTX_CBID_CORE2_DomainCreateA, create_domain<char>);
  core2.set(NVTX_CBID_CORE2_DomainCreateW, create_domain<wchar_t>);
  core2.set(NVTX_CBID_CORE2_DomainDestroy, destroy_domain);
  core2.set(NVTX_CBID_CORE2_Initialize, initialize);

  const Module cuda(table, NVTX_CB_MODULE_CUDA);
  cuda.set_names<resource_type(kCuda, 1), nvtx_CUdevice>(NVTX_CBID_CUDA_NameCuDeviceA);
  cuda.set_names<resource_type(kCuda, 2), nvtx_CUcontext>(NVTX_CBID_CUDA_NameCuContextA);
  cuda.set_names<resource_type(kCuda, 3), nvtx_CUstream>(NVTX_CBID_CUDA_NameCuStreamA);
  cuda.set_names<resource_type(kCuda, 4), nvtx_CUevent>(NVTX_CBID_CUDA_NameCuEventA);
  const Module cudart(table, NVTX_CB_MODULE_CUDART);
  cudart.set_names<resource_type(kCudaRuntime, 0), int>(NVTX_CBID_CUDART_NameCudaDeviceA);
  cudart.set_names<resource_type(kCudaRuntime, 1), nvtx_cudaStream_t>(
      NVTX_CBID_CUDART_NameCudaStreamA);
  cudart.set_names<resource_type(kCudaRuntime, 2), nvtx_cudaEvent_t>(
      NVTX_CBID_CUDART_NameCudaEventA);
  const Module opencl(table, NVTX_CB_MODULE_OPENCL);
  opencl.set_names<resource_type(kOpenCl, 1), nvtx_cl_device_id>(NVTX_CBID_OPENCL_NameClDeviceA);
  opencl.set_names<resource_type(kOpenCl, 2), nvtx_cl_context>(NVTX_CBID_OPENCL_NameClContextA);
  opencl.set_names<resource_type(kOpenCl, 3), nvtx_cl_command_queue>(
      NVTX_CBID_OPENCL_NameClCommandQueueA);
  opencl.set_names<resource_type(kOpenCl, 4), nvtx_cl_mem>(NVTX_CBID_OPENCL_NameClMemObjectA);
  opencl.set_names<resource_type(kOpenCl, 5), nvtx_cl_sampler>(NVTX_CBID_OPENCL_NameClSamplerA);
  opencl.set_names<resource_type(kOpenCl, 6), nvtx_cl_program>(NVTX_CBID_OPENCL_NameClProgramA);
  opencl.set_names<resource_type(kOpenCl, 7), nvtx_cl_event>(NVTX_CBID_OPENCL_NameClEventA);
}

}  // namespace ringscribe::inject
