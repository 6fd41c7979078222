// Findings for the page's tests: one of every severity, with and without a gain, with every unit
// that a column can have. Nothing here is measured.
import type { Abstention, Finding } from '../src/report_data.ts';

/** A finding with one row, but for what `part` says. */
export function finding(part: Partial<Finding> = {}): Finding {
  return {
    id: 'long_layer', title: 'A long layer', severity: 'info', sentence: '`conv2d_0` takes 4.8 % of the call.', gain_ns: null, gain_share: null, gain: null, confidence: 1,
    evidence: { sql: 'SELECT name, latency_ns FROM layer WHERE latency_ns >= 1000000', columns: [{ name: 'name', unit: 'name', help: 'Layer' }, { name: 'latency_ns', unit: 'ns', help: 'Its latency' }], rows: [{ name: 'conv2d_0', latency_ns: 1.9e6 }] },
    threshold: [{ name: 'long_ns', value: 1e6, unit: 'ns', source: 'Chosen: a millisecond is worth a look.' }],
    refuted_by: 'A run that records only this layer and in which it takes less.', see: 'layers',
    ...part,
  };
}

export function findings(): Finding[] {
  return [
    finding({
      id: 'interference', title: 'Other programs took the cores', severity: 'warning', confidence: 0.9, see: 'method-samples',
      sentence: 'Calls waited for a core for 12.4 % of their time, because other programs ran. Measure again on a quieter machine or with fewer threads (`--threads 1`).',
      evidence: { sql: 'SELECT sum(wait_ns) / sum(latency_ns) AS lost_share\nFROM sample\nWHERE point_id = 1', columns: [{ name: 'lost_share', unit: 'share', help: 'Time that calls waited for a core, over their latency' }], rows: [{ lost_share: 0.124 }] },
      threshold: [{ name: 'much_lost', value: 0.07, unit: 'share', source: 'Chosen: the share at which the noise badge turns red, too.' }],
      refuted_by: 'A measurement on an idle machine with the same number of threads that shows the same latency.',
    }),
    finding({
      id: 'reorders', title: 'Layouts are converted', severity: 'notice', gain_ns: [8e5, 1.234e6, 1.5e6], gain_share: 0.0312, confidence: 0.8, see: 'kernels',
      gain: { text: '1.23 ms (800 \u00b5s to 1.50 ms), 3.12 % of the call; another 100 \u00b5s is counted in that of long_layer', whole: 'call', whole_ns: 3.96e7, adds_up: true, alone_ns: [8e5, 1.334e6, 1.6e6], overlaps: [{ id: 'long_layer', ns: 1e5 }], method: 'The time of all reorders.', source: 'A `reorder` computes nothing.' },
      sentence: 'Reorders between layouts take 9.4 % of kernel time, all of them before convolutions.',
      evidence: {
        analysis: 'A3', sql: 'SELECT name, shape, count(*) AS kernels, sum(duration_ns) AS work_ns, sum(read_bytes) AS read_bytes\nFROM kernel\nWHERE point_id = 1 AND name LIKE \'reorder%\'\nGROUP BY name, shape\nORDER BY work_ns DESC',
        columns: [
          { name: 'name', unit: 'name', help: 'Kernel' }, { name: 'shape', unit: 'shape', help: 'Its input' }, { name: 'kernels', unit: 'count', help: 'Calls of it' },
          { name: 'work_ns', unit: 'ns', help: 'Its time' }, { name: 'share', unit: 'share', help: 'Part of all kernels' }, { name: 'read_bytes', unit: 'byte', help: 'Data read' },
          { name: 'is_before_convolution', unit: '', help: 'Whether a convolution follows' }, { name: 'cause', unit: '', help: 'Why, in words' },
        ],
        rows: Array.from({ length: 26 }, (_, index) => ({
          name: 'reorder jit:uni', shape: `[[1,${64 + index},56,56]]`, kernels: 2, work_ns: 3e5 - index * 9e3, share: 0.02 - index * 5e-4, read_bytes: 4 * (64 + index) * 3136, is_before_convolution: index % 7 !== 6, cause: null })),
        rows_left_out: 14,
      },
      threshold: [{ name: 'much', value: 0.05, unit: 'share', source: 'Chosen: less is not worth a change of layout.' }, { name: 'times', value: 1.01, unit: '1', source: 'From `oneDNN`: a copy is not exact.' }, { name: 'calls', value: 3, unit: 'count', source: 'Chosen: fewer are noise.' }],
      refuted_by: 'A run with `channels_last` memory in which the call is not shorter.',
    }),
    finding({ id: 'best_batch', title: 'The batch size with the highest throughput', see: 'batches', threshold: [], sentence: 'Batch 16 gives the highest throughput; batch 8 is the smallest whose next doubling gains 5 % or less (56 images/s against 25 at batch 1).' }),
    finding({ id: 'top_layer_types', title: 'The layer types with the most time', sentence: 'conv2d layers take 71 % of 39.6 ms (batch 1); 58 % of that runs in `jit:avx512_core`, at 61 % of the FP32 roof.' }),
    finding({ id: 'bound', title: 'What bounds the model', see: 'rooflines', confidence: 0.5, sentence: 'The model is compute-bound at every batch size; 106 of 175 layers are memory-bound and take 21 % of the call.' }),
    finding(),
  ];
}

export function abstained(): Abstention[] {
  return [
    { id: 'idle_device', reason: 'No device was recorded: `xsp run resnet50 --device gpu` measures one.' },
    { id: 'stragglers', reason: 'The experiment has one rank.' },
  ];
}
