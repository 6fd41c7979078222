-- Copies of the recording show the sizes; those before the first step belong to loading.
WITH source AS (
  SELECT min(source_run) AS run_id FROM kernel WHERE point_id = $point AND type = 'memcpy'),
copies AS (
  SELECT s.name, s.duration_ns, m.value AS bytes, contains(s.name, 'Pageable') AS is_pageable,
         contains(s.name, 'Pinned') AS is_pinned, regexp_extract(s.name, '[HD]to[HD]') AS direction
  FROM span s JOIN source USING (run_id) JOIN metric m ON m.run_id = s.run_id AND m.span_id = s.id AND m.name = 'bytes'
  WHERE s.type = 'memcpy' AND s.duration_ns > 0
    AND s.start_ns >= coalesce((SELECT min(start_ns) FROM step JOIN source USING (run_id)), s.start_ns)),
large AS (
  SELECT name, coalesce(sum(duration_ns) FILTER (bytes > $large_bytes), 0) / sum(duration_ns) AS large_share
  FROM copies WHERE is_pageable GROUP BY name),
called AS (
  SELECT sum(k.duration_ns * large_share) AS copy_ns,
         (SELECT sum(duration_ns) FROM kernel WHERE point_id = $point) AS work_ns
  FROM kernel k JOIN large USING (name) WHERE point_id = $point AND type = 'memcpy'),
longest AS (
  SELECT direction FROM copies WHERE is_pageable GROUP BY direction ORDER BY sum(duration_ns) DESC, direction LIMIT 1)
SELECT copy_ns, copy_ns / work_ns AS copy_share,
       (SELECT sum(bytes) / sum(duration_ns) * 1e9 FROM copies JOIN longest USING (direction)
        WHERE is_pageable AND bytes >= $rate_bytes) AS rate,
       (SELECT sum(bytes) / sum(duration_ns) * 1e9 FROM copies JOIN longest USING (direction)
        WHERE is_pinned AND bytes >= $rate_bytes) AS pinned_rate
FROM called
WHERE copy_ns >= $matters * work_ns
  AND copy_ns >= $of_the_call * coalesce((SELECT sum(duration_ns) FROM path_piece WHERE point_id = $point), 0)
