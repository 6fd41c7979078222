-- On the critical path only the time counts from the end of the work to the return of the call that waited for it.
SELECT piece, 0 AS low_ns, duration_ns AS ns, duration_ns AS high_ns
FROM path_piece WHERE point_id = $point AND kind = 'synchronisation'
UNION ALL
SELECT NULL, 0, 0, 0 FROM path_piece WHERE point_id = $point AND run_id IS NOT NULL
