-- why: both kinds have shares of their own, what is small is left out and still counts for the layer of who called it, and samples outside of all layers have none
INSERT INTO point (point_id, model, backend, device, precision, settings, status) VALUES
  (1, 'm', 'pytorch', 'cpu', 'float32', '{}', 'done');
INSERT INTO run (run_id, point_id, rung, status, path) VALUES (1, 1, 'record', 'done', 'record');
INSERT INTO call_tree (run_id, kind, node, parent, depth, frame, module, samples, self_samples, rate_hz) VALUES
  (1, 'native', 1, NULL, 0, '_start', 'app', 10000, 0, 100),
  (1, 'native', 2, 1, 1, 'main', 'app', 9995, 995, 100),
  (1, 'native', 3, 2, 2, 'gemm', 'libblas.so', 6000, 6000, 100),
  (1, 'native', 4, 2, 2, 'relu', 'libtorch.so', 2995, 2995, 100),
  (1, 'native', 5, 2, 2, '(smaller)', '', 5, 5, 100),
  (1, 'native', 6, 1, 1, 'init', 'ld.so', 5, 5, 100),
  (1, 'python', 7, NULL, 0, '<module>', 'train.py', 40, 10, 50),
  (1, 'python', 8, 7, 1, 'Net.forward', 'train.py', 30, 30, 50);
INSERT INTO call_tree_layer (run_id, node, layer_name, layer_type, self_samples) VALUES
  (1, 2, NULL, NULL, 995), (1, 3, 'fc1', 'aten::linear', 4000), (1, 3, 'fc2', 'aten::linear', 2000),
  (1, 4, 'relu1', 'aten::relu', 2995), (1, 5, 'fc1', 'aten::linear', 5), (1, 6, NULL, NULL, 5),
  (1, 7, NULL, NULL, 10), (1, 8, 'fc1', 'aten::linear', 30);
