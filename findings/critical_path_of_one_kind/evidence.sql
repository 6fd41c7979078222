-- Recording makes the host slower: of a model that XSP runs, the path is that of a call without it (path_piece).
WITH path AS (
  SELECT kind, name, duration_ns FROM critical_path JOIN run USING (run_id)
  WHERE point_id = $point AND rung IN ('imported', 'recorded')
  UNION ALL
  SELECT CASE kind WHEN 'beside' THEN 'host' ELSE kind END, name, duration_ns FROM path_piece
  WHERE point_id = $point AND run_id IS NOT NULL AND whole = 'call'),
named AS (
  SELECT kind, name, sum(duration_ns) AS ns FROM path GROUP BY kind, name),
-- Names in parentheses stand for several, or for none.
kinds AS (
  SELECT kind, sum(ns) AS ns, sum(sum(ns)) OVER () AS path_ns,
         max(ns) FILTER (name NOT LIKE '(%') AS top_ns,
         arg_max(name, ns) FILTER (name NOT LIKE '(%') AS top,
         sum(coalesce(sum(ns) FILTER (kind = 'compute'), 0)) OVER () AS compute_ns,
         sum(coalesce(sum(ns) FILTER (kind = 'synchronisation'), 0)) OVER () AS waiting_ns
  FROM named GROUP BY kind ORDER BY ns DESC, kind LIMIT 1)
SELECT kind,
       CASE kind WHEN 'host' THEN 'The host is' WHEN 'compute' THEN 'Computing kernels are'
                 WHEN 'communication' THEN 'Communication is' WHEN 'copy' THEN 'Copies are'
                 ELSE 'Waiting between work (' || kind || ') is' END AS subject,
       ns / path_ns AS share, ns AS kind_ns, path_ns,
       CASE WHEN top_ns >= $name_matters * path_ns THEN top END AS name,
       CASE WHEN top_ns >= $name_matters * path_ns THEN top_ns / path_ns END AS name_share,
       kind = 'host' AND waiting_ns = 0 AS hides_waiting,
       kind = 'host' AND waiting_ns > 0 AND compute_ns < $no_gain * path_ns AS kernels_gain_nothing,
       CASE WHEN kind = 'host' AND waiting_ns > 0 AND compute_ns >= $no_gain * path_ns
         THEN compute_ns / path_ns END AS compute_share
FROM kinds WHERE ns >= $most_of_path * path_ns
