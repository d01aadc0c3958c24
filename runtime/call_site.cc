// SPDX-License-Identifier: Apache-2.0
#include "ringscribe/runtime/call_site.h"

#include <mutex>

#include "ringscribe/runtime/c_text.h"
#include "ringscribe/runtime/call_site_text.h"
#include "ringscribe/runtime/definition_log.h"
#include "ringscribe/runtime/no_reentry.h"
#include "ringscribe/runtime/numbered_table.h"

namespace ringscribe::runtime {

namespace {

struct Sites {
  std::mutex mutex;
  NumberedTable<CallSiteText> by_id;
  StringMap<uint32_t> by_content;
  DefinitionLog* log = nullptr;
};

// Leaked: call sites are used from static destructors, too.
Sites& sites() noexcept {
  static Sites* instance = make<Sites>();
  return *instance;
}

String content_key(const CallSiteText& text) {
  String key = text.message + '\0' + text.category + '\0' + text.file + '\0';
  key += String(std::to_string(text.line)) + ' ' + String(std::to_string(text.color));
  return key;
}

}  // namespace

uint32_t register_locked(CallSite& site) noexcept {
  Sites& all = sites();
  const std::lock_guard lock(all.mutex);
  uint32_t id = site.id();
  if (id != 0) return id;
  CallSiteText text{own_c_text(site.message()), own_c_text(site.category()),
                    own_c_text(site.file()), site.color(), site.line()};
  const auto [entry, is_new] = all.by_content.try_emplace(content_key(text), 0);
  if (is_new) {
    entry->second = all.by_id.add(make<CallSiteText>(std::move(text)));
    if (all.log != nullptr && entry->second != 0)
      all.log->add(LoggedCallSite{entry->second, *all.by_id.get(entry->second)});
  }
  id = entry->second;
  site.id_.store(id, std::memory_order_release);  // pairs with id()
  return id;
}

uint32_t register_call_site(CallSite& site) noexcept {
  if (NoReentry::holds()) return 0;
  const NoReentry mark;
  return register_locked(site);
}

void set_call_site_log(DefinitionLog* log) noexcept {
  const NoReentry mark;
  Sites& all = sites();
  const std::lock_guard lock(all.mutex);
  all.log = log;
  if (log == nullptr) return;
  for (uint32_t id = 1; const CallSiteText* text = all.by_id.get(id); ++id)
    log->add(LoggedCallSite{id, *text});
}

void restore_call_site(uint32_t id, const CallSiteText& text) noexcept {
  Sites& all = sites();
  const std::lock_guard lock(all.mutex);
  CallSiteText* before = all.by_id.get(id);
  CallSiteText* restored = make<CallSiteText>(text);
  destroy(all.by_id.put(id, restored) ? before : restored);
}

const CallSiteText* find_call_site(uint32_t id) noexcept { return sites().by_id.get(id); }

}  // namespace ringscribe::runtime
