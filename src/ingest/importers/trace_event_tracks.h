#ifndef XSP_INGEST_IMPORTERS_TRACE_EVENT_TRACKS_H_
#define XSP_INGEST_IMPORTERS_TRACE_EVENT_TRACKS_H_

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "ingest/importers/trace_event.h"
#include "trace/trace.h"

namespace xsp::importers {

/// Finds the track of each event of one file. Process and thread ids are numbers, numbers in quotes
/// or names ("stream 7", "Spans"); a device's streams stand under process ids that are the device's
/// numbers, which a process may have as well, so that streams and threads are kept apart.
class Tracks {
 public:
  /// `writer` is borrowed. `prefix` leads every name ("file 3 ").
  Tracks(trace::TraceWriter& writer, std::string prefix)
      : writer_(writer), prefix_(std::move(prefix)) {}

  /// The thread of `event`.
  trace::TrackId Thread(const Event& event);
  /// The stream of `event`.
  trace::TrackId Stream(const Event& event);
  /// What is measured of a whole device: counters. `device` < 0: the host.
  trace::TrackId Device(std::int64_t device);

  /// Of the track that stands under the event's ids as a stream, or as a thread; 0: none.
  trace::TrackId FindStream(const Event& event) { return FindCached(event, true); }
  trace::TrackId FindThread(const Event& event) { return FindCached(event, false); }

  /// A metadata event: process_name, process_labels, thread_name. False: it is another one.
  bool Name(const Event& event);

  /// Gives tracks the names that came later than their first event, and their rank (negative: not
  /// known).
  void Finish(std::int64_t rank);

 private:
  /// A process or thread id: its number, or the text it is.
  struct Id {
    std::int64_t number = trace::kNotApplicable;
    std::string text;  ///< Empty where it is a number.
    auto operator<=>(const Id&) const = default;
  };
  struct Key {
    bool stream;
    Id process, thread;
    auto operator<=>(const Key&) const = default;
  };
  struct Cached {
    std::string process, thread;
    trace::TrackId track = 0;

    bool Holds(const Event& event) const {
      return track != 0 && process == event.process.text && thread == event.thread.text;
    }
  };

  static Id IdOf(const Value& value);
  trace::TrackId Find(const Event& event, bool stream) const;
  trace::TrackId FindCached(const Event& event, bool stream);
  trace::TrackId Add(const Event& event, bool stream);
  trace::TrackId Get(const Event& event, bool stream);

  trace::TraceWriter& writer_;
  std::string prefix_;
  std::map<Key, trace::TrackId> tracks_;
  std::map<std::int64_t, trace::TrackId> devices_;
  Cached last_[2];  ///< Of threads and streams: most events lie where the one before did.
  std::map<Id, std::string> process_names_, process_labels_;
  std::map<std::pair<Id, Id>, std::string> thread_names_;
};

}  // namespace xsp::importers

#endif  // XSP_INGEST_IMPORTERS_TRACE_EVENT_TRACKS_H_
