WITH source AS (
  SELECT min(source_run) AS run_id FROM kernel WHERE point_id = $point AND type = 'memcpy'),
copies AS (
  SELECT s.name, s.duration_ns, m.value AS bytes, contains(s.name, 'Pageable') AS is_pageable,
         contains(s.name, 'Pinned') AS is_pinned, regexp_extract(s.name, '[HD]to[HD]') AS direction
  FROM span s JOIN source USING (run_id) JOIN metric m ON m.run_id = s.run_id AND m.span_id = s.id AND m.name = 'bytes'
  WHERE s.type = 'memcpy' AND s.duration_ns > 0
    AND s.start_ns >= coalesce((SELECT min(start_ns) FROM step JOIN source USING (run_id)), s.start_ns)),
pinned AS (
  SELECT direction, sum(bytes) / sum(duration_ns) AS rate FROM copies
  WHERE is_pinned AND bytes >= $rate_bytes GROUP BY direction),
large AS (
  SELECT name, coalesce(sum(duration_ns) FILTER (bytes > $large_bytes), 0) / sum(duration_ns) AS large_share,
         greatest(1 - sum(bytes) FILTER (bytes >= $rate_bytes)
                      / sum(duration_ns) FILTER (bytes >= $rate_bytes) / any_value(rate), 0) AS saved_share
  FROM copies LEFT JOIN pinned USING (direction) WHERE is_pageable GROUP BY name)
SELECT piece, 0 AS low_ns, large_share * coalesce(saved_share, 0) * duration_ns AS ns, large_share * duration_ns AS high_ns
FROM path_piece JOIN large USING (name) WHERE point_id = $point AND kind = 'copy'
UNION ALL
SELECT NULL, 0, 0, 0 FROM path_piece WHERE point_id = $point AND run_id IS NOT NULL
