"""The document reader of DrQA (Chen et al. 2017, arXiv:1704.00051, section 3.2): where in a paragraph is the answer?

Paragraph and question each through three bidirectional LSTMs of 128, whose layers are concatenated;
paragraph words also see the question by aligned attention; bilinear start and end scores.
"""
import torch
import torch.nn.functional as F
from torch import nn

WORDS = 50_000  # The reference keeps those words of GloVe's that the data has; this is a usual number.
EMBEDDING, HIDDEN, LAYERS = 300, 128, 3
# In the question, also in lower case, also as a lemma; term frequency; 50 parts of speech and 19 entities.
FEATURES = 3 + 1 + 50 + 19


class StackedLstm(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.layers = nn.ModuleList(nn.LSTM(width if i == 0 else 2 * HIDDEN, HIDDEN, batch_first=True,
                                            bidirectional=True) for i in range(LAYERS))

    def forward(self, x):
        results = []
        for layer in self.layers:
            x = layer(x)[0]
            results.append(x)
        return torch.cat(results, 2)


class Bilinear(nn.Module):
    """How likely each place of the paragraph [batch, length, n] is, given the question [batch, n]."""

    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(2 * HIDDEN * LAYERS, 2 * HIDDEN * LAYERS)

    def forward(self, paragraph, question):
        return torch.softmax(torch.matmul(paragraph, self.linear(question).unsqueeze(2)).squeeze(2), 1)


class Reader(nn.Module):
    """From paragraph words int64 [batch, length], their features float32 [batch, length, 73] and question words
    int64 [batch, length] to the probability of each place to be the start and the end of the answer, both [batch,
    length]. All sentences have their full length: there is no padding to mask."""

    def __init__(self):
        super().__init__()
        self.words = nn.Embedding(WORDS, EMBEDDING, padding_idx=0)
        self.align = nn.Linear(EMBEDDING, EMBEDDING)
        self.paragraph = StackedLstm(2 * EMBEDDING + FEATURES)
        self.question = StackedLstm(EMBEDDING)
        self.weigh = nn.Linear(2 * HIDDEN * LAYERS, 1)
        self.start = Bilinear()
        self.end = Bilinear()

    def forward(self, paragraph, features, question):
        words, asked = self.words(paragraph), self.words(question)
        likeness = torch.matmul(F.relu(self.align(words)), F.relu(self.align(asked)).transpose(1, 2))
        aligned = torch.matmul(torch.softmax(likeness, 2), asked)
        places = self.paragraph(torch.cat([words, aligned, features], 2))
        encoded = self.question(asked)
        weights = torch.softmax(self.weigh(encoded), 1)
        summary = (weights * encoded).sum(1)
        return self.start(places, summary), self.end(places, summary)


def build():
    return Reader()
