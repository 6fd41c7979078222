import assert from 'node:assert/strict';
import { test } from 'node:test';
import { columnTitle } from '../src/column_title.ts';
import { scaleFor } from '../src/format.ts';
import { tableColumn } from '../src/suite_answer.ts';

test('a heading does not say again the unit that stands beside it', () => {
  const cases: [string, string, string][] = [
    ['time_ms', 'ms', 'time'], ['seconds', 's', 'time'], ['makespan_least_s', 's', 'makespan least'], ['minutes', 'min', 'time'],
    ['gpu_memory_mb_sum', 'MB', 'GPU memory sum'], ['cpu_pct', '%', 'CPU'], ['gpu_pct_sum', '%', 'GPU sum'], ['time_percent', '%', 'time'],
    ['pcie_mbps', 'Mbit/s', 'PCIe'], ['intensity_flops_per_byte', 'flop/byte', 'intensity'], ['throughput_flops_per_s', 'flop/s', 'throughput'],
    ['peak_bytes_per_s', 'byte/s', 'peak'], ['flops', 'flop', 'FLOPs'], ['flops_per_byte', 'flop/byte', 'intensity'], ['gflops_per_s', 'Gflop/s', 'throughput'], ['device_time_ns', 'ns', 'device time'],
  ];
  for (const [name, unit, title] of cases) assert.equal(columnTitle(name, unit), title, name);
});

test('what looks like another unit stays', () => {
  assert.equal(columnTitle('transactions_32b', ''), 'transactions 32b');
  assert.equal(columnTitle('time_ms', 'min'), 'time ms');
  assert.equal(columnTitle('is_s_shaped', 's'), 'is s shaped');
  assert.equal(columnTitle('class', ''), 'class');
});

test('no column of an answer has its unit twice in its heading', () => {
  for (const [name, unit, value, shown] of [['seconds', 's', 0.0123, 'ms'], ['time_ms', 'ms', 12.3, 'ms'], ['nvlink_mbps', 'Mbit/s', 51200, 'Gbit/s'], ['memory_mb', 'MB', 5000, 'GB']] as const) {
    const column = tableColumn({ name, unit, help: '', provenance: '' }, [{ [name]: value }]);
    assert.equal(scaleFor([value], column.unit!).unit, shown);
    assert.doesNotMatch(column.title, /\b(ms|s|seconds|mbps|mb|Gbit|GB)\b/i, name);
  }
});

test('time has no prefix above the second', () => {
  assert.equal(scaleFor([7200], 's').unit, 's');
  assert.equal(scaleFor([7200], 's').text(7200), '7,200');
});
