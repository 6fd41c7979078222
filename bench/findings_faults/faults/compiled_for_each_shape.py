"""torch.compile with static shapes in a program whose inputs have many lengths, so that it compiles again for each. Repaired: the model runs as
it is."""
import sys

RULE = "compilation_time"
GAIN = True
TUNED = "slow_steps leaves compilations out of its gain since it came before compilation_time here."

PROGRAM = '''
import torch
torch.manual_seed(1)
import torch._dynamo
torch._dynamo.config.recompile_limit = 100
layer = torch.nn.TransformerEncoderLayer(128, 4, 256, batch_first=True)
model = torch.nn.TransformerEncoder(layer, 2, enable_nested_tensor=False).eval()
if not {repaired}:
    model = torch.compile(model, backend="aot_eager", dynamic=False)
with torch.inference_mode():
    for length in range(16, 32, 2):
        for _ in range(20):
            model(torch.randn(1, length, 128))
'''


def build(folder, repaired):
    (folder / "program.py").write_text(PROGRAM.format(repaired=repaired))
    return ["record", "--no-roofs", "--", sys.executable, str(folder / "program.py")]
