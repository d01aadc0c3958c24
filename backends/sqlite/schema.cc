// SPDX-License-Identifier: Apache-2.0
#include "ringscribe/backends/sqlite/schema.h"

namespace ringscribe::sqlite {

const char kSchema[] = R"sql(
BEGIN IMMEDIATE;
PRAGMA application_id = 0x52534442;
PRAGMA user_version = 1;

CREATE TABLE metadata (  -- What this file is, in words: begin here.
  name TEXT NOT NULL PRIMARY KEY,
  value NOT NULL
) WITHOUT ROWID;

CREATE TABLE sessions (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL,
  is_complete INTEGER NOT NULL  -- 1: finished as it should be; 0: still written, or died
);

CREATE TABLE domains (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL  -- '' is the default domain
);

CREATE TABLE streams (
  id INTEGER PRIMARY KEY,
  domain_id INTEGER NOT NULL REFERENCES domains(id),
  name TEXT NOT NULL
);

CREATE TABLE tracks (  -- Where events lie: processes, threads, scopes, streams without a scope.
  id INTEGER PRIMARY KEY,
  parent_id INTEGER REFERENCES tracks(id),
  domain_id INTEGER NOT NULL REFERENCES domains(id),
  kind TEXT NOT NULL,  -- process, thread, scope, stream
  name TEXT NOT NULL,
  path TEXT NOT NULL,  -- the names from the root down, joined by /
  pid INTEGER,  -- processes and threads
  tid INTEGER,  -- threads: the system's number, which may be used again
  thread_number INTEGER  -- threads: never used again in the process
);

CREATE TABLE categories (
  id INTEGER PRIMARY KEY,
  domain_id INTEGER NOT NULL REFERENCES domains(id),
  number INTEGER,  -- the producer's
  name TEXT  -- NULL: the number has no name
);

CREATE TABLE names (  -- Each text of events once, or now and then again.
  id INTEGER PRIMARY KEY,
  text TEXT NOT NULL
);

CREATE TABLE event_data (  -- Stored compactly: read the views events, ranges and marks.
  id INTEGER PRIMARY KEY,
  kind INTEGER NOT NULL,  -- 0 mark, 1 push_pop, 2 start_end
  track_id INTEGER NOT NULL REFERENCES tracks(id),
  stream_id INTEGER REFERENCES streams(id),
  domain_id INTEGER NOT NULL REFERENCES domains(id),
  begin_ns INTEGER NOT NULL,
  end_ns INTEGER,  -- ranges only
  name_id INTEGER NOT NULL REFERENCES names(id),
  category_id INTEGER REFERENCES categories(id),
  color INTEGER,  -- 0xAARRGGBB
  range_id,  -- from 2^63 up as text
  flags INTEGER,  -- 1 end is missing, 2 begin is missing, 4 end before begin
  written_end_ns INTEGER,  -- where the end lay before the begin
  time_domain  -- NULL: times are ns of CLOCK_MONOTONIC; else ticks of this one; from 2^63 up as text
);

CREATE TABLE field_keys (
  id INTEGER PRIMARY KEY,
  path TEXT NOT NULL,  -- as in a.b[3]
  type TEXT NOT NULL,  -- integer, unsigned, real, text, address, struct, array, none
  UNIQUE (path, type)
);

CREATE TABLE field_data (  -- Stored compactly: read the view fields.
  event_id INTEGER NOT NULL REFERENCES event_data(id),
  position INTEGER NOT NULL,
  key_id INTEGER NOT NULL REFERENCES field_keys(id),
  value,
  PRIMARY KEY (event_id, position)
) WITHOUT ROWID;

CREATE TABLE counters (
  id INTEGER PRIMARY KEY,
  track_id INTEGER REFERENCES tracks(id),
  domain_id INTEGER NOT NULL REFERENCES domains(id),
  name TEXT NOT NULL,  -- group.entry for one of a group
  unit TEXT NOT NULL,
  description TEXT NOT NULL,
  is_floating INTEGER NOT NULL,
  value_type TEXT,  -- absolute, delta, delta_since_start
  interpolation TEXT,  -- point, since_last, until_next, linear
  minimum REAL,
  maximum REAL
);

CREATE TABLE sample_data (  -- Stored compactly: read the view counter_samples.
  id INTEGER PRIMARY KEY,
  counter_id INTEGER NOT NULL REFERENCES counters(id),
  stream_id INTEGER REFERENCES streams(id),
  time_ns INTEGER NOT NULL,
  value,
  missing INTEGER,  -- why value is NULL: 256 NaN, else the producer's reason
  time_domain  -- as in event_data
);

CREATE TABLE losses (  -- What was written to a stream and is not here.
  id INTEGER PRIMARY KEY,
  stream TEXT NOT NULL,
  cause TEXT NOT NULL,
  events NOT NULL,  -- since the loss before; from 2^63 up as text
  time_ns INTEGER NOT NULL,
  is_synchronised INTEGER NOT NULL  -- 1: time_ns is CLOCK_MONOTONIC
);

CREATE TABLE problems (  -- What could not be decoded or placed.
  id INTEGER PRIMARY KEY,
  sentence TEXT NOT NULL,
  count NOT NULL
);

CREATE TABLE clock_points (  -- The same instant on both clocks.
  id INTEGER PRIMARY KEY,
  monotonic_ns INTEGER NOT NULL,
  realtime_ns INTEGER NOT NULL  -- since 1970 in UTC
);
CREATE INDEX clock_points_by_time ON clock_points(monotonic_ns);

-- LEFT JOIN throughout: SQLite leaves out those whose columns a query does not ask for.
CREATE VIEW events AS
SELECT e.id,
  CASE e.kind WHEN 0 THEN 'mark' WHEN 1 THEN 'push_pop' ELSE 'start_end' END AS kind,
  n.text AS name, c.name AS category, c.number AS category_number, d.name AS domain,
  e.begin_ns, coalesce(e.end_ns, e.begin_ns) AS end_ns,
  coalesce(e.end_ns, e.begin_ns) - e.begin_ns AS duration_ns,
  t.path AS track, t.name AS track_name, t.pid, t.tid, t.thread_number, s.name AS stream,
  CASE WHEN e.color IS NOT NULL THEN printf('#%08X', e.color) END AS color, e.range_id,
  coalesce(e.flags & 1, 0) AS end_is_missing,
  coalesce((e.flags & 2) / 2, 0) AS begin_is_missing,
  coalesce((e.flags & 4) / 4, 0) AS end_before_begin,
  e.written_end_ns, e.time_domain, e.track_id, e.stream_id, e.name_id, e.category_id, e.kind > 0 AS is_range
FROM event_data e
LEFT JOIN names n ON n.id = e.name_id
LEFT JOIN categories c ON c.id = e.category_id
LEFT JOIN domains d ON d.id = e.domain_id
LEFT JOIN tracks t ON t.id = e.track_id
LEFT JOIN streams s ON s.id = e.stream_id;

CREATE VIEW ranges AS SELECT * FROM events WHERE is_range;

CREATE VIEW marks AS
SELECT id, name, category, category_number, domain, begin_ns AS time_ns, track, track_name, pid, tid,
  thread_number, stream, color, time_domain, track_id, stream_id, name_id, category_id
FROM events WHERE NOT is_range;

CREATE VIEW fields AS
SELECT f.event_id, f.position, k.path, k.type, f.value
FROM field_data f LEFT JOIN field_keys k ON k.id = f.key_id;

CREATE VIEW counter_samples AS
SELECT m.id, c.name AS counter, c.unit, t.path AS track, m.time_ns, m.value,
  CASE m.missing WHEN 256 THEN 'NaN' WHEN 0 THEN 'zero' WHEN 1 THEN 'unchanged'
    WHEN 2 THEN 'unavailable' ELSE 'reason ' || m.missing END AS missing,
  s.name AS stream, m.time_domain, m.counter_id, c.track_id, m.stream_id
FROM sample_data m
LEFT JOIN counters c ON c.id = m.counter_id
LEFT JOIN tracks t ON t.id = c.track_id
LEFT JOIN streams s ON s.id = m.stream_id;

-- Durations of ranges by what they are. Sums are taken by whole seconds and rest: nothing overflows.
CREATE VIEW range_durations AS
SELECT name, category, time_domain, count(*) AS count,
  sum(duration_ns / 1000000000) * 1000000000 + sum(duration_ns % 1000000000) AS total_ns,
  min(duration_ns) AS min_ns, max(duration_ns) AS max_ns, avg(duration_ns) AS avg_ns
FROM ranges WHERE NOT end_is_missing AND NOT begin_is_missing
GROUP BY name, category, time_domain;

-- The clock point before an event relates its time to UTC, the first one what comes before it.
CREATE VIEW events_utc AS
SELECT id, kind, name, category, track,
  strftime('%Y-%m-%dT%H:%M:%S', (utc_ns - nanosecond) / 1000000000, 'unixepoch')
    || printf('.%09dZ', nanosecond) AS utc,
  utc_ns, duration_ns, begin_ns
FROM (
  SELECT *, (utc_ns % 1000000000 + 1000000000) % 1000000000 AS nanosecond
  FROM (
    SELECT *, begin_ns + coalesce(
      (SELECT realtime_ns - monotonic_ns FROM clock_points p
       WHERE p.monotonic_ns <= events.begin_ns ORDER BY p.monotonic_ns DESC LIMIT 1),
      (SELECT realtime_ns - monotonic_ns FROM clock_points p
       ORDER BY p.monotonic_ns LIMIT 1)) AS utc_ns
    FROM events WHERE time_domain IS NULL));

-- How push_pop ranges nest on their track: by one walk over begins and ends in their order. Right
-- where they do; a range that cuts another counts as inside of it. A row of nesting_steps is a range
-- as the parent of its own level, or as a child on its parent's: `found` is the parent's row_number.
CREATE VIEW nesting_steps AS
WITH edges AS (
  SELECT id, track_id, begin_ns AS at, 0 AS is_end, end_ns, end_ns > begin_ns AS step,
    end_ns - begin_ns AS duration_ns
  FROM event_data WHERE kind = 1
  UNION ALL
  SELECT NULL, track_id, end_ns, 1, end_ns, -1, NULL
  FROM event_data WHERE kind = 1 AND end_ns > begin_ns
), levels AS MATERIALIZED (
  SELECT id, track_id, is_end, duration_ns, sum(step) OVER place - step AS depth,
    row_number() OVER place AS place
  FROM edges
  WINDOW place AS (PARTITION BY track_id ORDER BY at, is_end DESC, end_ns DESC, id DESC
                   ROWS UNBOUNDED PRECEDING)
), steps AS (
  SELECT id, track_id, depth AS level, place, place AS parent_place, NULL AS child_ns
  FROM levels WHERE NOT is_end
  UNION ALL
  SELECT id, track_id, depth - 1, place, NULL, duration_ns
  FROM levels WHERE NOT is_end AND depth > 0
)
SELECT id, track_id, level, parent_place IS NOT NULL AS is_parent, child_ns,
  max(parent_place) OVER (PARTITION BY track_id, level ORDER BY place
                          ROWS UNBOUNDED PRECEDING) AS found
FROM steps;

CREATE VIEW range_nesting AS
SELECT id, depth, parent_id
FROM (SELECT id, is_parent, level + NOT is_parent AS depth,
    CASE WHEN NOT is_parent THEN max(CASE WHEN is_parent THEN id END)
      OVER (PARTITION BY track_id, level, found) END AS parent_id
  FROM nesting_steps)
WHERE NOT is_parent OR depth = 0;

CREATE VIEW range_self_times AS
SELECT n.id, r.name, r.category, r.track, n.depth, r.duration_ns,
  r.duration_ns - n.children_ns AS self_ns
FROM (SELECT max(CASE WHEN is_parent THEN id END) AS id, level AS depth,
    coalesce(sum(child_ns / 1000000000), 0) * 1000000000
      + coalesce(sum(child_ns % 1000000000), 0) AS children_ns
  FROM nesting_steps GROUP BY track_id, level, found) n
LEFT JOIN events r ON r.id = n.id;

CREATE VIEW thread_tree AS
WITH RECURSIVE tree(id, depth, place) AS (
  SELECT id, 0, printf('%010d', id) FROM tracks WHERE parent_id IS NULL
  UNION ALL
  SELECT t.id, tree.depth + 1, tree.place || printf('%010d', t.id)
  FROM tree JOIN tracks t ON t.parent_id = tree.id WHERE tree.depth < 100
)
SELECT tree.depth, printf('%*s', 2 * tree.depth, '') || t.name AS track, t.kind, t.pid, t.tid,
  t.thread_number, t.id AS track_id
FROM tree JOIN tracks t ON t.id = tree.id ORDER BY tree.place;

INSERT INTO metadata VALUES
  ('producer', 'Ringscribe'),
  ('schema_version', 1),
  ('1 read', 'Views show plain text: events, ranges, marks, fields, counter_samples, events_utc, '
    || 'range_durations, range_self_times, thread_tree. Columns of tables are described in .schema.'),
  ('2 times', 'Integers in ns of CLOCK_MONOTONIC where time_domain is NULL; events_utc has UTC.'),
  ('3 fields', 'fields.event_id is events.id; path is as in a.b[3].'),
  ('4 numbers', 'Integers from 2^63 up are decimal text. NaN is NULL: fields.type says real, '
    || 'counter_samples.missing says NaN.'),
  ('5 indexes', 'Are made at the end: a file whose sessions.is_complete is 0 may have none, and is '
    || 'right without.');
COMMIT;
)sql";

const char kIndexes[] = R"sql(
BEGIN IMMEDIATE;
CREATE INDEX events_by_track ON event_data(track_id, begin_ns);
CREATE INDEX events_by_name ON event_data(name_id);
CREATE INDEX samples_by_counter ON sample_data(counter_id, time_ns);
CREATE INDEX names_by_text ON names(text);
COMMIT;
PRAGMA analysis_limit = 1000;
ANALYZE;
)sql";

}  // namespace ringscribe::sqlite
