#!/usr/bin/env python3
"""Compares xsp suite similarity with numpy, scipy and scikit-learn: components, loadings, linkage matrices, cophenetic
distances, clusters, silhouettes, resamples; on the published table and on seeded random tables.

Needs a Python that has them (tests/requirements.txt): the one named by XSP_ORACLE_PYTHON, else .deps/oracles/bin/python, which
tools/setup --test makes. Skipped without one.
"""
import csv
import itertools
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

import oracle_python

ROOT = pathlib.Path(__file__).resolve().parent.parent
BUILD = pathlib.Path(os.environ.get("XSP_BUILD", ROOT / "build" / "release"))
XSP = BUILD / "bin" / "xsp"
LINKAGES = ["single", "complete", "average", "ward"]

oracle_python.require("numpy", "scipy.cluster.hierarchy", "sklearn.decomposition")

import numpy  # noqa: E402
import scipy.cluster.hierarchy  # noqa: E402
import scipy.spatial.distance  # noqa: E402
import sklearn.cluster  # noqa: E402
import sklearn.decomposition  # noqa: E402
import sklearn.metrics  # noqa: E402
import sklearn.preprocessing  # noqa: E402


def similarity(*arguments, resamples=0):
    done = subprocess.run([str(XSP), "suite", "similarity", *arguments, "--bootstrap", str(resamples), "--format", "json"],
                          capture_output=True, text=True, timeout=900)
    if done.returncode != 0:
        raise AssertionError(done.stderr)
    return {table["id"]: table["rows"] for table in json.loads(done.stdout)["tables"]}


def mersenne_twister(seed):
    """The numbers of std::mt19937_64 (Matsumoto and Nishimura 2004)."""
    size, all_bits = 312, 2**64 - 1
    state = [seed]
    for i in range(1, size):
        state.append((6364136223846793005 * (state[-1] ^ (state[-1] >> 62)) + i) & all_bits)
    while True:
        for i in range(size):
            x = (state[i] & 0xFFFFFFFF80000000) | (state[(i + 1) % size] & 0x7FFFFFFF)
            state[i] = state[(i + 156) % size] ^ (x >> 1) ^ (0xB5026F5AA96619E9 if x & 1 else 0)
        for x in state:
            x ^= (x >> 29) & 0x5555555555555555
            x ^= (x << 17) & 0x71D67FFFEDA60000
            x ^= (x << 37) & 0xFFF7EEE000000000
            yield x ^ (x >> 43)


def together_shares(distances, clusters, linkage, resamples, seed):
    """Of the resamples that hold both workloads of a pair the share with both in one cluster; NaN: none holds both. Each is
    cut into as many clusters as it holds workloads of."""
    n = len(clusters)
    between = scipy.spatial.distance.squareform(distances)
    both, together = numpy.zeros((n, n)), numpy.zeros((n, n))
    numbers = mersenne_twister(seed)
    for _ in range(resamples):
        drawn = sorted(int((next(numbers) >> 11) * 2.0**-53 * n) for _ in range(n))
        held = len({clusters[i] for i in drawn})
        if held < 2:
            continue
        tree = scipy.cluster.hierarchy.linkage(scipy.spatial.distance.squareform(between[numpy.ix_(drawn, drawn)]), linkage)
        # Copies of a workload are in one cluster.
        cluster = dict(zip(drawn, scipy.cluster.hierarchy.fcluster(tree, held, "maxclust")))
        for a, b in itertools.combinations(cluster, 2):
            both[a, b] += 1
            together[a, b] += cluster[a] == cluster[b]
    return [together[a, b] / both[a, b] if both[a, b] else numpy.nan for a, b in itertools.combinations(range(n), 2)]


def published():
    """Labels and values of the single-GPU rows of table 6; NVLink has no traffic there and is no metric."""
    metrics = ["cpu_pct", "gpu_pct_sum", "system_memory_mb", "gpu_memory_mb_sum", "pcie_mbps"]
    with open(ROOT / "suites" / "mlperf-v0.5" / "vectors.csv") as file:
        rows = [row for row in csv.DictReader(file) if row["gpus"] == "1"]
    return [row["workload"] + "-1" for row in rows], numpy.array([[float(row[m]) for m in metrics] for row in rows])


class SimilarityReferenceTest(unittest.TestCase):
    def tables(self):
        """(name, values, arguments of xsp) of every table that is compared."""
        yield "published", published()[1], ["mlperf-v0.5", "--where", "gpus = 1"]
        for seed, (rows, columns) in enumerate([(13, 6), (40, 3), (6, 9), (2, 4), (25, 25), (90, 8)]):
            generator = numpy.random.default_rng(seed)
            values = generator.lognormal(size=(rows, columns)) * 10.0 ** generator.integers(-6, 12, size=columns)
            path = pathlib.Path(self.folder.name) / f"random{seed}.csv"
            with open(path, "w") as file:
                file.write("job," + ",".join(f"m{c}" for c in range(columns)) + "\n")
                for r, row in enumerate(values):
                    file.write(f"job{r}," + ",".join(repr(float(v)) for v in row) + "\n")
            yield f"random {rows} x {columns}", values, [str(path)]

    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def test_components_are_those_of_scikit_learn(self):
        for name, values, arguments in self.tables():
            with self.subTest(name):
                ours = similarity(*arguments)
                scaled = sklearn.preprocessing.StandardScaler().fit_transform(values)
                pca = sklearn.decomposition.PCA().fit(scaled)
                count = len(ours["components"])
                self.assertEqual(count, int(numpy.sum(pca.explained_variance_ratio_ > 1e-12)))
                numpy.testing.assert_allclose([row["share"] for row in ours["components"]],
                                              pca.explained_variance_ratio_[:count], rtol=1e-9, atol=1e-12)
                numpy.testing.assert_allclose([row["variance"] for row in ours["components"]],
                                              pca.explained_variance_[:count], rtol=1e-9, atol=1e-12)
                weights = numpy.array([row["weight"] for row in ours["loadings"]]).reshape(count, -1)
                theirs = pca.components_[:count]
                signs = numpy.sign(numpy.sum(weights * theirs, axis=1, keepdims=True))
                numpy.testing.assert_allclose(weights, signs * theirs, rtol=1e-6, atol=1e-8)
                # Of weights that are as good as equal the first decides the sign.
                sizes = numpy.abs(weights)
                largest = numpy.argmax(sizes >= sizes.max(axis=1, keepdims=True) - 1e-9, axis=1)
                self.assertTrue(numpy.all(weights[numpy.arange(count), largest] > 0))
                scores = numpy.array([[row[f"PC{k + 1}"] for k in range(count)] for row in ours["scores"]])
                numpy.testing.assert_allclose(scores, pca.transform(scaled)[:, :count] * signs.T, rtol=1e-6, atol=1e-8)
                correlations = numpy.array([row["correlation"] for row in ours["loadings"]]).reshape(count, -1)
                if len(values) > 2:
                    expected = numpy.corrcoef(scaled.T, scores.T)[:scaled.shape[1], scaled.shape[1]:].T
                    numpy.testing.assert_allclose(correlations, expected, rtol=1e-6, atol=1e-8)

    def test_linkage_is_that_of_scipy(self):
        for name, values, arguments in self.tables():
            scaled = sklearn.preprocessing.StandardScaler().fit_transform(values)
            for linkage in LINKAGES:
                with self.subTest(f"{name}, {linkage}"):
                    ours = similarity(*arguments, "--linkage", linkage)
                    theirs = scipy.cluster.hierarchy.linkage(scaled, linkage)
                    merges = [[row["first"], row["second"], row["height"], row["size"]] for row in ours["merges"]]
                    numpy.testing.assert_allclose(merges, theirs, rtol=1e-9, atol=1e-12)
                    numpy.testing.assert_allclose([row["distance"] for row in ours["pairs"]],
                                                  scipy.spatial.distance.pdist(scaled), rtol=1e-9, atol=1e-12)
                    numpy.testing.assert_allclose([row["cophenetic_distance"] for row in ours["pairs"]],
                                                  scipy.cluster.hierarchy.cophenet(theirs), rtol=1e-9, atol=1e-12)

    def test_clusters_are_those_of_scipy_and_scikit_learn(self):
        for name, values, arguments in self.tables():
            scaled = sklearn.preprocessing.StandardScaler().fit_transform(values)
            for linkage in LINKAGES:
                for count in {2, min(4, len(values)), len(values)}:
                    with self.subTest(f"{name}, {linkage}, {count}"):
                        ours = [row["cluster"] for row in similarity(*arguments, "--linkage", linkage, "--clusters",
                                                                     str(count))["scores"]]
                        scipys = scipy.cluster.hierarchy.fcluster(scipy.cluster.hierarchy.linkage(scaled, linkage), count,
                                                                  "maxclust")
                        learns = sklearn.cluster.AgglomerativeClustering(count, linkage=linkage).fit_predict(scaled)
                        self.assertEqual(sklearn.metrics.adjusted_rand_score(ours, scipys), 1.0)
                        self.assertEqual(sklearn.metrics.adjusted_rand_score(ours, learns), 1.0)

    def test_number_of_clusters_has_the_greatest_silhouette(self):
        for name, values, arguments in self.tables():
            if len(values) < 3:
                continue
            with self.subTest(name):
                scaled = sklearn.preprocessing.StandardScaler().fit_transform(values)
                tree = scipy.cluster.hierarchy.linkage(scaled, "ward")
                scores = {count: sklearn.metrics.silhouette_score(
                    scaled, scipy.cluster.hierarchy.fcluster(tree, count, "maxclust"))
                    for count in range(2, min(len(values) - 1, 10) + 1)}
                ours = max(row["cluster"] for row in similarity(*arguments)["scores"])
                self.assertAlmostEqual(scores[ours], max(scores.values()), places=12)

    def test_resamples_are_cut_into_the_clusters_that_they_hold(self):
        for name, values, arguments in self.tables():
            if len(values) < 6:
                continue
            for linkage in ("average", "ward"):
                with self.subTest(f"{name}, {linkage}"):
                    ours = similarity(*arguments, "--linkage", linkage, "--clusters", "4", "--seed", "7", resamples=60)
                    clusters = [row["cluster"] for row in ours["scores"]]
                    theirs = together_shares([row["distance"] for row in ours["pairs"]], clusters, linkage, 60, 7)
                    shares = [numpy.nan if row["together_share"] is None else row["together_share"] for row in ours["pairs"]]
                    numpy.testing.assert_allclose(shares, theirs, rtol=1e-12)

    def test_distances_on_components_are_those_of_their_scores(self):
        for name, values, arguments in self.tables():
            with self.subTest(name):
                scaled = sklearn.preprocessing.StandardScaler().fit_transform(values)
                pca = sklearn.decomposition.PCA().fit(scaled)
                used = int(numpy.searchsorted(numpy.cumsum(pca.explained_variance_ratio_), 0.8 - 1e-12)) + 1
                theirs = scipy.cluster.hierarchy.linkage(pca.transform(scaled)[:, :used], "average")
                ours = similarity(*arguments, "--on", "components", "--share", "0.8", "--linkage", "average")["merges"]
                numpy.testing.assert_allclose([row["height"] for row in ours], theirs[:, 2], rtol=1e-8, atol=1e-10)


if __name__ == "__main__":
    unittest.main()
