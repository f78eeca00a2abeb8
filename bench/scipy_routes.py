"""Times SciPy's shortest-path trees on the networks of bench/route_bench. Usage: scipy_routes.py TURNS FOLDER"""

import json
import sys
import time
from pathlib import Path

import numpy
from scipy.sparse import csr_matrix
from scipy.sparse.csgraph import dijkstra

NETWORKS = {"SiouxFalls": "SiouxFalls/SiouxFalls_net.tntp", "Anaheim": "Anaheim/Anaheim_net.tntp",
            "ChicagoSketch": "Chicago-Sketch/ChicagoSketch_net.tntp"}


def read(path):
    """The graph of a network, nodes before the first through node split in two, and its zones."""
    said, links = {}, []
    for line in path.read_text().splitlines():
        line = line.split("~")[0].strip().rstrip(";").strip()
        if line.startswith("<"):
            key, value = line[1:].split(">", 1)
            said[key] = value.strip()
        elif line:
            links.append([float(cell) for cell in line.split()])
    nodes, first = int(said["NUMBER OF NODES"]), int(said["FIRST THRU NODE"]) - 1
    table = numpy.array(links)
    start, end = table[:, 0].astype(int) - 1, table[:, 1].astype(int) - 1
    end = numpy.where(end < first, nodes + end, end)
    return csr_matrix((1 + table[:, 4], (start, end)), shape=(nodes + first, nodes + first)), int(said["NUMBER OF ZONES"])


for name, file in NETWORKS.items():
    path = Path(sys.argv[2]) / file
    if not path.exists():
        continue
    graph, zones = read(path)
    origins = min(zones, 24)  # short turns
    seconds = []
    for _ in range(int(sys.argv[1])):
        begin = time.perf_counter()
        dijkstra(graph, indices=range(origins), return_predecessors=True)
        seconds.append((time.perf_counter() - begin) / origins)
    print(json.dumps({"name": f"tree_{name}", "seconds": seconds}))
