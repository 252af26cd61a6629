package org.ibidem.house;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaModifier;
import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleFinder;
import java.util.Set;
import java.util.stream.Collectors;
import org.ibidem.registry.Node;
import org.junit.jupiter.api.Test;

/// What is public in the rooms of `node` that programs do not see: for the rooms and modules that
/// stand on them alone.
class NeighboursTest {
    /// Each type, with the number of its public methods, constructors and fields. Whatever becomes
    /// public for a neighbour is counted here in the same commit, and whatever no longer needs to
    /// be, too.
    private static final String LISTED =
            """
            accept.CannotListen 0
            accept.HubLine 3
            accept.HubPlace 9
            accept.Listener 14
            accept.Listener$Tally 8
            accept.LoopbackPair 7
            accept.Observation 8
            accept.Observer 1
            accept.OriginQuota 8
            accept.ProbePort 7
            accept.ReachabilityProbe 9
            channel.Acceptor 2
            channel.Acceptor$Answer 0
            channel.Acceptor$Later 5
            channel.Acceptor$No 6
            channel.Acceptor$Receiver 4
            channel.Acceptor$Yes 5
            channel.ChannelRefused 4
            channel.Channels 16
            channel.Channels$Context 7
            channel.InChannel 13
            channel.OutChannel 16
            control.Changes 4
            control.ControlLink 15
            control.ControlLink$Limits 11
            control.Ending 3
            control.Ending$Altered 5
            control.Ending$Closed 5
            control.Ending$EndOfStream 4
            control.Ending$Left 5
            control.Ending$Overflow 5
            control.Ending$Reset 5
            control.Ending$Silent 5
            control.Ending$Violation 5
            control.Peers 37
            control.Peers$Dialer 1
            control.Peers$Service 2
            control.Recent 1
            control.ServiceFailed 6
            dial.Brokering 9
            dial.Dialler 4
            dial.Experience 6
            dial.Experience$Towards 6
            dial.LearnedLine 6
            dial.PeerReports 3
            dial.Policy 13
            dial.Unreached 2
            handshake.Admission 2
            handshake.Admission$Refused 8
            handshake.Admission$Verdict 0
            handshake.Admission$Welcome 4
            handshake.BadProof 0
            handshake.Exchange 4
            handshake.Handshake 9
            handshake.Handshake$Opening 2
            handshake.Handshake$Preamble 1
            handshake.HandshakeBroken 0
            handshake.HandshakeDropped 0
            handshake.HandshakeFailed 0
            handshake.HandshakeGarbled 1
            handshake.HandshakeRefused 3
            handshake.HandshakeTimeout 0
            handshake.Hello 20
            handshake.NotDirect 3
            handshake.Proved 16
            handshake.Refusal 16
            handshake.SealedPath 16
            handshake.SelfConnection 0
            handshake.Untrusted 1
            handshake.VersionMismatch 1
            handshake.Vetting 4
            handshake.WrongNode 3
            registry.access.Runtimes 4
            registry.uplink.Checkup 3
            registry.uplink.HubAddress 8
            registry.uplink.Uplink 21
            registry.uplink.UplinkContext 14
            registry.uplink.UplinkContext$Wish 11
            registry.uplink.View 8
            registry.wire.ChangeCoding 2
            registry.wire.JoinRefusal 13
            registry.wire.MessageSplitter 5
            registry.wire.Operation 0
            registry.wire.Operation$Add 6
            registry.wire.Operation$AssumeDead 6
            registry.wire.Operation$Cancel 5
            registry.wire.Operation$Close 5
            registry.wire.Operation$Count 5
            registry.wire.Operation$Elect 5
            registry.wire.Operation$Next 6
            registry.wire.Operation$Set 6
            registry.wire.Operation$Signal 7
            registry.wire.Operation$Take 6
            registry.wire.Operation$Terminate 4
            registry.wire.Operation$Withdraw 5
            registry.wire.OperationCoding 2
            registry.wire.Outcome 0
            registry.wire.Outcome$Done 4
            registry.wire.Outcome$Elected 6
            registry.wire.Outcome$Refused 5
            registry.wire.Outcome$Taken 5
            registry.wire.Outcome$Value 5
            registry.wire.OutcomeCoding 2
            registry.wire.Parts 12
            registry.wire.Protocol 11
            registry.wire.Reply 0
            registry.wire.Reply$Bye 4
            registry.wire.Reply$Dead 6
            registry.wire.Reply$Describe 4
            registry.wire.Reply$Entry 6
            registry.wire.Reply$Events 7
            registry.wire.Reply$Facts 8
            registry.wire.Reply$Forgotten 6
            registry.wire.Reply$Found 7
            registry.wire.Reply$Probed 8
            registry.wire.Reply$Refused 6
            registry.wire.Reply$Revoked 5
            registry.wire.Reply$Settled 6
            registry.wire.Reply$Snapshot 10
            registry.wire.Reply$Surveyed 7
            registry.wire.Reply$Welcome 11
            registry.wire.Reply$Whereabouts 6
            registry.wire.ReplyCoding 2
            registry.wire.Request 0
            registry.wire.Request$Arrival 9
            registry.wire.Request$Attach 17
            registry.wire.Request$Described 5
            registry.wire.Request$Leave 4
            registry.wire.Request$Lookup 6
            registry.wire.Request$Operate 7
            registry.wire.Request$Past 12
            registry.wire.Request$Probe 8
            registry.wire.Request$Recall 6
            registry.wire.Request$Report 6
            registry.wire.Request$Survey 6
            registry.wire.Request$Unspoken 5
            registry.wire.Request$Visit 6
            registry.wire.RequestCoding 4
            station.CertificateWatch 1
            station.Explanations 2
            station.HubConnection 10
            station.Lingers 4
            station.NodeRuntime 46
            station.NodeRuntime$Whereabouts 1
            station.Trials 3
            station.Ways 2
            """;

    @Test
    void what_is_public_for_neighbours_alone_is_listed() {
        var hidden = hidden();
        var found =
                RoomsTest.CORE.stream()
                        .filter(type -> hidden.contains(type.getPackageName()))
                        .filter(NeighboursTest::isSeen)
                        .map(NeighboursTest::line)
                        .sorted()
                        .collect(Collectors.joining("\n", "", "\n"));
        assertThat(found).isEqualTo(LISTED);
    }

    /// The packages of the module that it does not export to all.
    private static Set<String> hidden() {
        var module =
                ModuleFinder.of(RoomsTest.place(Node.class))
                        .findAll()
                        .iterator()
                        .next()
                        .descriptor();
        var exported =
                module.exports().stream()
                        .filter(each -> !each.isQualified())
                        .map(ModuleDescriptor.Exports::source)
                        .collect(Collectors.toSet());
        return module.packages().stream()
                .filter(name -> !exported.contains(name))
                .collect(Collectors.toSet());
    }

    private static boolean isSeen(JavaClass type) {
        return type.getModifiers().contains(JavaModifier.PUBLIC)
                && type.getEnclosingClass().map(NeighboursTest::isSeen).orElse(true);
    }

    private static String line(JavaClass type) {
        long members =
                type.getMembers().stream()
                        .filter(member -> member.getModifiers().contains(JavaModifier.PUBLIC))
                        .count();
        return type.getName().substring("org.ibidem.".length()) + " " + members;
    }
}
