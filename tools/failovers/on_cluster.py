"""A cluster of three primaries with a replica each, any of which can be cut off from all others and from clients."""

from redis.crc import key_slot

from billet.redis.embedded import DURABLE
from service.store import keys
from tools.testbed.cluster_nodes import BUS, SLOTS, Node, NodeCluster
from tools.testbed.relay import Relay
from tools.testbed.replica_pair import Server
from tools.testbed.waiting import wait_until

HERE = "127.0.0.1"
"""Where clients connect from; each node has an address of its own."""


class Member:
    """A node that is reached through relays alone: `door` for clients and its replica, `bus` for the other nodes."""

    def __init__(self, folder, number, delay, barred) -> None:
        self.address = f"127.0.0.{number + 2}"
        self.door, self.bus = Relay(delay=delay, prompt=(HERE,)), Relay(barred=barred)
        announced = {"ip": HERE, "port": self.door.port, "bus-port": self.bus.port}
        options = {f"cluster-announce-{name}": value for name, value in announced.items()}
        self.node = Node(
            folder, **DURABLE | options | {"bind-source-addr": self.address, "repl-diskless-sync-delay": 0}
        )
        self.lead()

    def lead(self) -> None:
        """Leads connections to the node, after those that there are have been cut."""
        self.door.lead(self.node.port)
        self.bus.lead(self.node.port + BUS)

    def close(self) -> None:
        """Ends."""
        self.door.close()
        self.bus.close()
        self.node.kill()


class ClusterStand:
    """The cluster, and a Redis for the queues."""

    def __init__(self, folder, delay) -> None:
        self._barred, self._members = set(), []
        self._queues = Server(folder / "queues")
        for number in range(6):
            self._members.append(Member(folder / str(number), number, delay, self._barred))
        self._pairs = [[self._members[i], self._members[i + 3]] for i in range(3)]
        first = self._members[0].node
        self._owners = NodeCluster([member.node for member in self._members[:3]]).nodes[0].slots()
        self._place = {primary.door.port: place for place, (primary, _) in enumerate(self._pairs)}
        for primary, replica in self._pairs:
            replica.node.client.execute_command("CLUSTER MEET", HERE, first.port)
            wait_until(lambda node=replica.node: len(node.slots()) == SLOTS)
            replica.node.client.execute_command("CLUSTER REPLICATE", primary.node.id)
            wait_until(replica.node.follows)
        self.settings = {
            "REDIS_URL": f"redis://{HERE}:{self._members[0].door.port}",
            "REDIS_CLUSTER": "1",
            "QUEUE_REDIS_URL": self._queues.url,
        }

    def place(self, game):
        """Returns which of the pairs holds a game."""
        return self._place[self._owners[key_slot(keys.log(game).encode())]]

    def fail_over(self, way, place) -> None:
        """Loses the primary of a pair with all that is on the line, and has its replica take over."""
        old, new = self._pairs[place]
        if way == "killed":
            old.node.kill()
        elif way == "frozen":
            old.node.freeze()
        self._barred.add(old.address)
        old.door.lead(None)
        old.bus.lead(None)
        for member in self._members:
            if member is not old:
                member.bus.lead(member.node.port + BUS)  # without the connections of the lost node
        new.node.client.execute_command("CLUSTER FAILOVER", "TAKEOVER")
        wait_until(lambda: new.node.client.info("replication")["role"] == "master")
        if way == "cut":
            assert old.node.client.info("replication")["role"] == "master"
            assert old.node.client.wait(1, 20) == 0, "cut off, and yet it confirms"
        self._pairs[place] = [new, old]

    def restore(self, way, place) -> None:
        """Brings the lost node back, and returns when it follows the one that has taken over."""
        _, old = self._pairs[place]
        if way == "killed":
            old.node.start()
        elif way == "frozen":
            old.node.thaw()
        self._barred.discard(old.address)
        old.lead()
        wait_until(old.node.follows)

    def close(self) -> None:
        """Ends everything."""
        for member in self._members:
            member.close()
        self._queues.kill()
