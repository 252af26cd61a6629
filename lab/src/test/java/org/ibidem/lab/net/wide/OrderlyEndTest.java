package org.ibidem.lab.net.wide;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.ibidem.lab.net.Lab;
import org.ibidem.lab.net.Running;
import org.ibidem.lab.net.junit.Laboratory;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// What a process has finished before it ends in order arrives, over lines that lose packets.
@Laboratory(Town.Sites.class)
@Timeout(240)
class OrderlyEndTest {
    private static final List<String> DIRECT =
            List.of(
                    "tcp",
                    "auto",
                    "tls > tcp",
                    "parallel(8) > tcp",
                    "multiplex > tcp",
                    "tls > multiplex > tcp",
                    "reliable > udp",
                    "compress(level=1) > parallel(3) > tcp",
                    "checksum > fragment(size=8k) > rate(limit=4M) > tcp");
    private static final List<String> ROUTED =
            List.of("tcp", "auto", "tls > tcp", "multiplex > tcp");

    @BeforeEach
    void lose(Lab lab) {
        new Town(lab);
        lab.set("*-*", "delay=25ms loss=1% rate=50mbit queue=625000");
    }

    @Test
    void all_arrives_however_a_process_ends(Lab lab) {
        var ends = Stream.of("node", "port", "main", "exit");
        var running = ends.map(end -> end(lab, "office1", "square1", end, DIRECT)).toList();
        running.forEach(CompletableFuture::join);
    }

    @Test
    void all_arrives_through_a_hub(Lab lab) {
        var ends = Stream.of("node", "port");
        var running = ends.map(end -> end(lab, "hotel1", "garden1", end, ROUTED)).toList();
        running.forEach(CompletableFuture::join);
    }

    @Test
    void all_messages_of_mpi_arrive_before_a_rank_ends(Lab lab) {
        var receiver = rank(lab, "square1", 0);
        var sender = rank(lab, "office1", 1);
        receiver.any(("got mpi " + OrderlyMpi.MESSAGES)::equals, Town.LONG.multipliedBy(2));
        assertThat(sender.code(Town.LONG)).as("%s", sender.lines()).isZero();
    }

    @Test
    void all_results_of_satin_arrive_before_their_thief_ends(Lab lab) {
        var root = satin(lab, "square1", "root");
        var thief = satin(lab, "office1", "thief");
        var got = root.next(line -> line.startsWith("got satin"), Town.LONG.multipliedBy(2));
        assertThat(got).isEqualTo("got satin " + OrderlySatin.JOBS);
        assertThat(thief.code(Town.LONG)).as("%s", thief.lines()).isZero();
    }

    private static Running satin(Lab lab, String host, String role) {
        var hub = lab.machine("hub1").address() + ":" + Town.PORT;
        return lab.machine(host).java(OrderlySatin.class, hub, "satin", "parallel(4) > tcp", role);
    }

    private static Running rank(Lab lab, String host, int rank) {
        var options =
                List.of(
                        "-Dibidem.hub=" + lab.machine("hub1").address() + ":" + Town.PORT,
                        "-Dibidem.pool=mpi",
                        "-Dibidem.open=true",
                        "-Dibidem.size=2",
                        "-Dibidem.rank=" + rank,
                        "-Dibidem.mpj.device=circuit",
                        "-Dibidem.mpj.stack=parallel(4) > tcp");
        return lab.machine(host).java(options, OrderlyMpi.class);
    }

    private static CompletableFuture<Void> end(
            Lab lab, String from, String to, String end, List<String> stacks) {
        return CompletableFuture.runAsync(
                () -> {
                    var pool = from + end;
                    var receiver = start(lab, to, pool, "receive", stacks);
                    var sender = start(lab, from, pool, end, stacks);
                    receiver.any("done"::equals, Town.LONG.multipliedBy(2));
                    var lines = receiver.lines();
                    for (var stack : stacks) {
                        assertThat(lines)
                                .as(end)
                                .contains("got " + stack + " " + OrderlyEnd.MESSAGES);
                    }
                    if (!end.equals("port")) { // which ends the VLink in the middle
                        assertThat(lines).as(end).contains("got vlink 1000000");
                    }
                    assertThat(lines).as(end).contains("got call 1000000");
                    assertThat(sender.lines()).doesNotContain("closed false");
                },
                Thread::startVirtualThread);
    }

    private static Running start(
            Lab lab, String host, String pool, String role, List<String> stacks) {
        var words =
                new ArrayList<>(
                        List.of(lab.machine("hub1").address() + ":" + Town.PORT, pool, role));
        words.addAll(stacks);
        return lab.machine(host).java(OrderlyEnd.class, words.toArray(String[]::new));
    }
}
