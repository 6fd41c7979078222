import assert from 'node:assert/strict';
import { test } from 'node:test';
import { kShortName, shortName } from '../src/short_name.ts';

// The same names as in src/answer/wording/short_name_test.cc.
const kNames: [full: string, short: string][] = [
  ['void at::native::vectorized_elementwise_kernel<4, at::native::CUDAFunctor_add<float>, at::detail::Array<char*, 3> >(int, at::native::CUDAFunctor_add<float>, at::detail::Array<char*, 3>)',
    'vectorized_elementwise_kernel<4, CUDAFunctor_add<float>, Array<char*, 3>>'],
  ['void at::native::elementwise_kernel<128, 2, at::native::gpu_kernel_impl_nocast<at::native::CUDAFunctor_add<float> >(at::TensorIteratorBase&, at::native::CUDAFunctor_add<float> const&)::{lambda(int)#1}>(int, at::native::gpu_kernel_impl_nocast<at::native::CUDAFunctor_add<float> >(at::TensorIteratorBase&, at::native::CUDAFunctor_add<float> const&)::{lambda(int)#1})',
    'elementwise_kernel<128, 2, CUDAFunctor_add<float>>'],
  ['void at::native::unrolled_elementwise_kernel<at::native::direct_copy_kernel_cuda(at::TensorIteratorBase&)::{lambda()#3}::operator()() const::{lambda()#7}::operator()() const::{lambda(float)#1}, at::detail::Array<char*, 2>, 4>(int)',
    'unrolled_elementwise_kernel<direct_copy_kernel_cuda(float), Array<char*, 2>, 4>'],
  ['void (anonymous namespace)::softmax_warp_forward<float, float, float, 9, false, false>(float*, float const*, int, int, int, bool const*, int, bool)',
    'softmax_warp_forward<float, float, float, 9, false, false>'],
  ['void cutlass::Kernel2<cutlass_80_tensorop_bf16_s16816gemm_relu_bf16_64x64_64x6_tn_align8>(cutlass_80_tensorop_bf16_s16816gemm_relu_bf16_64x64_64x6_tn_align8::Params)',
    'Kernel2<cutlass_80_tensorop_bf16_s16816gemm_relu_bf16_64x64_64x6_tn_align8>'],
  ['void gemv2T_kernel_val<int, int, float, float, float, float, 128, 16, 4, 4, (bool)1, (bool)0, cublasGemvParamsEx<int, cublasGemvTensorStridedBatched<float const>, float> >(int, float)',
    'gemv2T_kernel_val<int, int, float, float, float, float, 128, 16, 4, 4, 1, 0, c\u2026>'],
  ['sm90_xmma_gemm_bf16bf16_bf16f32_f32_tn_n_tilesize128x128x64_warpgroupsize1x1x1_execute_segment_k_off_kernel__5x_cublas',
    'sm90_xmma_gemm_bf16bf16_bf16f32_f32_tn_n_tilesize128x128x64\u2026ff_kernel__5x_cublas'],
  ['Cijk_Ailk_Bljk_BBS_BH_Bias_HAS_SAV_UserArgs_MT128x128x64_MI16x16x1_SN_LDSB0_AFC1_AFEM1_AFEM1_ASEM1_CLR1_CADS0_DTLA0_DTLB0',
    'Cijk_Ailk_Bljk_BBS_BH_Bias\u2026MT128x128x64\u2026'],
  ['triton_poi_fused_add_0', 'triton_poi_fused_add_0'],
  ['ncclDevKernel_AllReduce_Sum_f32_RING_LL(ncclDevKernelArgsStorage<4096ul>)', 'ncclDevKernel_AllReduce_Sum_f32_RING_LL'],
  ['ncclKernel_AllReduce_RING_LL_Sum_float(ncclDevComm*, unsigned long, ncclWork*)', 'ncclKernel_AllReduce_RING_LL_Sum_float'],
  ['Memcpy HtoD (Pageable -> Device)', 'Memcpy HtoD (Pageable -> Device)'],
  ['aten::mm', 'aten::mm'],
  ['autograd::engine::evaluate_function: AddmmBackward0', 'AddmmBackward0'],
  ['torch/nn/modules/module.py(1553): _call_impl', 'torch/nn/modules/module.py(1553): _call_impl'],
  ['<built-in method apply of FunctionMeta object at 0x5581>', '<built-in method apply of FunctionMeta object at 0x5581>'],
  ['at::native::foo<unfinished', 'at::native::foo<unfinished'],
  ['', ''],
];

for (const [full, short] of kNames)
  test(`reads well: ${full.slice(0, 60)}`, () => assert.equal(shortName(full), short));

test('no short name is longer than asked for, whatever the text', () => {
  const alphabet = ['void ', 'a', 'kernel', '<', '>', '(', ')', '::', ', ', ' ', '{lambda(int)#1}', '*', 'const', 'x9_', 'Cijk_', '_MT16x16_'];
  let state = 7;
  for (let round = 0; round < 20000; round += 1) {
    let text = '';
    for (let part = 0; part < 40; part += 1) {
      state = (Math.imul(state, 1103515245) + 12345) >>> 0;
      text += alphabet[(state >>> 8) % alphabet.length]!;
    }
    const short = shortName(text, 40);
    assert.ok(short.length <= Math.max(40, 5), `${short.length}: ${text}`);
  }
});

test('the default fits a line of a table', () => assert.ok(kShortName <= 80));
