// The layers of ResNet-50 (He et al., 2015, table 1) with the shapes that decide their work, so
// that a fixture has the model's real structure: 53 convolutions, 53 batch norms, 49 ReLUs,
// 16 additions, 2 poolings, 1 linear.

export interface LayerShape {
  type: string;
  /** Output: channels, height, width. */
  channels: number;
  height: number;
  width: number;
  /** Elements read per image beside the weights. */
  inputs: number;
  weights: number;
  /** 2 x multiply-accumulates, or one operation an element. */
  flops: number;
  problem: string;
}

export function resnet50(): LayerShape[] {
  const layers: LayerShape[] = [];
  let channels = 3;
  let size = 224;
  const plain = (type: string, perElement: number, operands = 1, side = size): void => {
    const out = channels * side * side;
    layers.push({
      type, channels, height: side, width: side, inputs: operands * channels * size * size,
      weights: type === 'batch_norm' ? 4 * channels : 0, flops: perElement * out,
      problem: `${channels}x${side}x${side}`,
    });
    size = side;
  };
  const conv = (out: number, kernel: number, stride: number): void => {
    const side = Math.ceil(size / stride);
    layers.push({
      type: 'conv2d', channels: out, height: side, width: side, inputs: channels * size * size,
      weights: out * channels * kernel * kernel,
      flops: 2 * out * side * side * channels * kernel * kernel,
      problem: `ic${channels}oc${out}_ih${size}oh${side}kh${kernel}sh${stride}`,
    });
    channels = out;
    size = side;
    plain('batch_norm', 2);
  };
  conv(64, 7, 2);
  plain('relu_', 1);
  plain('max_pool2d', 9, 1, 56);
  for (const [stage, [blocks, width]] of ([[3, 64], [4, 128], [6, 256], [3, 512]] as const).entries())
    for (let block = 0; block < blocks; block += 1) {
      const stride = block === 0 && stage > 0 ? 2 : 1;
      const [before, sizeBefore] = [channels, size];
      conv(width, 1, 1);
      plain('relu_', 1);
      conv(width, 3, stride);
      plain('relu_', 1);
      conv(width * 4, 1, 1);
      if (block === 0) {
        const [after, sizeAfter] = [channels, size];
        channels = before;
        size = sizeBefore;
        conv(width * 4, 1, stride);
        channels = after;
        size = sizeAfter;
      }
      plain('add_', 1, 2);
      plain('relu_', 1);
    }
  plain('adaptive_avg_pool2d', 49, 1, 1);
  layers.push({ type: 'flatten', channels, height: 1, width: 1, inputs: 0, weights: 0, flops: 0, problem: '' });
  layers.push({
    type: 'linear', channels: 1000, height: 1, width: 1, inputs: 2048, weights: 2048 * 1000 + 1000,
    flops: 2 * 2048 * 1000, problem: 'mb1ic2048oc1000',
  });
  return layers;
}
