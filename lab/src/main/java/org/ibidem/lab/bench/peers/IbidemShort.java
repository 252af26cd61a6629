package org.ibidem.lab.bench.peers;

import java.io.IOException;
import java.util.Objects;
import org.ibidem.hub.Hub;
import org.ibidem.lab.bench.Contestant;
import org.ibidem.lab.bench.End;
import org.ibidem.lab.bench.Loop;
import org.ibidem.lab.bench.Measure;
import org.ibidem.lab.bench.Meeting;
import org.ibidem.lab.bench.Payload;
import org.ibidem.lab.bench.Player;
import org.ibidem.lab.bench.TreeNode;
import org.ibidem.messaging.Receiver;
import org.ibidem.messaging.Sender;
import org.ibidem.messaging.Subject;
import org.ibidem.registry.Node;
import org.ibidem.topology.NodeId;

/// Objects sent by the short form, a whole message each.
public record IbidemShort() implements Contestant {
    private static final Subject<TreeNode> TREES = Subject.of("trees", TreeNode.class).stack("shm");
    private static final Subject<Long> WORDS = Subject.of("words", Long.class).stack("shm");

    @Override
    public String name() {
        return "ibidem-short";
    }

    @Override
    public Waiting waiting() {
        return Waiting.USUAL;
    }

    @Override
    public String about() {
        return "Sender.send and Receiver.receive of the tree over shm";
    }

    @Override
    public boolean plays(Measure measure) {
        return measure.payload().get() instanceof Payload.Tree;
    }

    @Override
    public Player open(Meeting meeting) throws IOException {
        int hub;
        if (meeting.leads()) {
            hub = Hub.start(Hub.Options.DEFAULT.port(0)).port(); // lives as the process does
            meeting.tell(Integer.toString(hub));
        } else {
            hub = Integer.parseInt(meeting.hear());
        }
        var node = IbidemPorts.join(hub);
        var trees = TREES.receiver(node);
        var words = WORDS.receiver(node);
        meeting.tell(node.id().toString());
        var peer = NodeId.parse(meeting.hear());
        return new Loop(
                new Ends(node, trees, words, TREES.sender(node, peer), WORDS.sender(node, peer)));
    }

    private record Ends(
            Node node,
            Receiver<TreeNode> trees,
            Receiver<Long> words,
            Sender<TreeNode> toTrees,
            Sender<Long> toWords)
            implements End {
        @Override
        public void send(Payload payload) {
            switch (payload) {
                case Payload.Tree tree -> toTrees.send(tree.root);
                case Payload.Word word -> toWords.send(word.value);
                default -> throw new IllegalArgumentException("it plays trees");
            }
        }

        @Override
        public void receive(Payload payload) {
            switch (payload) {
                case Payload.Tree tree -> tree.root = Objects.requireNonNull(trees.receive());
                case Payload.Word word -> word.value = Objects.requireNonNull(words.receive());
                default -> throw new IllegalArgumentException("it plays trees");
            }
        }

        @Override
        public void close() {
            node.close();
        }
    }
}
