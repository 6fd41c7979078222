// Documents of `xsp suite` for the tests.
import type { Answer, SuiteData } from '../src/suite_data.ts';

const kWorkloads = ['Res50_TF', 'SSD_Py', 'MRCNN_Py', 'XFMR_Py', 'GNMT_Py', 'NCF_Py'];

/** As `xsp suite similarity` might answer: a picture with a table, a table alone, a picture with its own data. */
export function similarity(rename: (name: string) => string = (name) => name): Answer {
  return {
    answer: 'similarity',
    title: 'Which workloads are alike',
    sentences: ['`Res50_TF` and `SSD_Py` lie nearest to each other: 0.42 standard deviations apart.', 'Two components explain 71 % of the variance.'],
    method: ['Metrics are standardised; 1 of 7 workloads lacks `nvlink_mbps` and is left out.'],
    tables: [
      {
        id: 'components', title: rename('Principal components'),
        columns: [
          { name: 'workload', unit: '', help: 'The workload', provenance: '' },
          { name: 'pc1', unit: '1', help: 'First component', provenance: 'analytic' },
          { name: 'memory_bytes', unit: 'byte', help: 'Device memory', provenance: 'measured:nvml' },
          { name: 'nvlink_mbps', unit: 'Mbit/s', help: '', provenance: '' },
          { name: 'variance_share', unit: '1', help: '', provenance: '' },
        ],
        rows: kWorkloads.map((workload, index) => ({
          workload: rename(workload), pc1: index - 2.5, memory_bytes: (index + 1) * 2e9, nvlink_mbps: index === 3 ? null : index * 100, variance_share: 1 / (index + 1) })),
      },
      { id: 'clusters', title: 'Clusters', columns: [{ name: 'cluster', unit: '', help: '', provenance: '' }, { name: 'is_representative', unit: '', help: '', provenance: '' }], rows: [{ cluster: 'A', is_representative: true }, { cluster: 'B', is_representative: false }] },
    ],
    charts: [
      {
        id: 'plane', title: 'Workloads in the plane of two components', table: 'components',
        spec: { mark: 'point', encoding: { x: { field: 'pc1', type: 'quantitative', title: 'component 1' }, y: { field: 'memory_bytes', type: 'quantitative', title: 'memory (byte)' }, tooltip: { field: 'workload' } } },
      },
      { id: 'cut', title: 'Where the tree is cut', table: '', spec: { data: { values: [{ a: 1, b: 2 }, { a: 2, b: 1 }] }, mark: 'line', encoding: { x: { field: 'a', type: 'quantitative' }, y: { field: 'b', type: 'quantitative' } } } },
      { id: 'broken', title: 'A picture that could not be written', table: 'clusters', spec: null },
    ],
  };
}

/** Many points near each other, each with a name: `order` says which names matter most. */
export function crowd(): Answer {
  const rows = Array.from({ length: 40 }, (_, index) => ({
    workload: `workload-${index}`, across: Math.round(1000 * Math.cos(index * 2.4) * Math.sqrt(index)) / 1000, up: Math.round(1000 * Math.sin(index * 2.4) * Math.sqrt(index)) / 1000, weight_ms: (index * 7) % 40 }));
  const at = { x: { field: 'across', type: 'quantitative' }, y: { field: 'up', type: 'quantitative' } };
  return {
    answer: 'crowd', title: 'Many workloads', sentences: [], method: [],
    tables: [{ id: 'places', title: 'Places', columns: [{ name: 'workload', unit: '', help: '', provenance: '' }, { name: 'across', unit: '1', help: '', provenance: '' }, { name: 'up', unit: '1', help: '', provenance: '' }, { name: 'weight_ms', unit: 'ms', help: '', provenance: '' }], rows }],
    charts: [{
      id: 'places', title: 'Where they are', table: 'places',
      spec: {
        data: { name: 'rows' }, height: 320,
        layer: [
          { name: 'points', transform: [{ calculate: '1', as: '_unseen' }], mark: { type: 'point', filled: true, tooltip: { content: 'data' } }, encoding: at },
          { mark: { type: 'text', style: ['beside', 'of-points'] }, encoding: { ...at, order: { field: 'weight_ms', sort: 'descending' }, text: { field: 'workload' } } },
        ],
      },
    }],
  };
}

export function suite(answers: Answer[] = [similarity()]): SuiteData {
  return { title: answers[0]!.title, answers };
}

/** Words alone, as the summary that leads a page of many answers. */
export function summary(): Answer {
  return { answer: 'report', title: 'The suite in short', sentences: ['Four of 12 workloads stand for all.'], method: [], tables: [], charts: [] };
}
