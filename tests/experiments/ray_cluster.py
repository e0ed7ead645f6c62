"""A Ray cluster of two nodes on this machine, for a test: ``python ray_cluster.py``.

It prints its address and the ids of its nodes, the one that holds it together and the other one. A line on standard
input kills the other one; the end of standard input ends it all.
"""

import json
import sys

from ray.cluster_utils import Cluster

NODE = {"num_cpus": 1, "node_ip_address": "127.0.0.1", "include_dashboard": False}


def main() -> None:
    cluster = Cluster(initialize_head=True, head_node_args=dict(NODE))
    node = cluster.add_node(**NODE)
    print(json.dumps([cluster.address, cluster.head_node.node_id, node.node_id]), flush=True)
    if sys.stdin.readline():
        cluster.remove_node(node, allow_graceful=False)
        print(json.dumps("killed"), flush=True)
        sys.stdin.readline()
    cluster.shutdown()


if __name__ == "__main__":
    main()
