SELECT piece, 0 AS low_ns, 0 AS ns, duration_ns AS high_ns
FROM path_piece WHERE point_id = $point AND run_id IS NULL AND kind IN ('layer', 'between')
