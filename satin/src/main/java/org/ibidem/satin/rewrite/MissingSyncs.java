package org.ibidem.satin.rewrite;

import java.lang.classfile.CodeElement;
import java.lang.classfile.Opcode;
import java.lang.classfile.instruction.ArrayLoadInstruction;
import java.lang.classfile.instruction.ArrayStoreInstruction;
import java.lang.classfile.instruction.FieldInstruction;
import java.lang.classfile.instruction.ReturnInstruction;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Where a method has no sync and should have one. Local variables and returns are synced by the
/// rewriter; who reads a field or an element too early finds what was there before, each time.
/// Which array an element is of nobody knows here, so of those it says only that they may be.
final class MissingSyncs {
    private final Spawning spawning;
    private final Flow flow;

    MissingSyncs(Spawning spawning, Flow flow) {
        this.spawning = spawning;
        this.flow = flow;
    }

    /// For people: method, line and what is wrong; each line once.
    List<String> said() {
        var all = new ArrayList<String>();
        for (int i = 0; i < spawning.listing().size(); i++) {
            var why = why(i);
            var line = why == null ? "" : spawning.where(i) + ": there is no sync " + why;
            if (!line.isEmpty() && !all.contains(line)) {
                all.add(line);
            }
        }
        return all;
    }

    private @Nullable String why(int place) {
        var element = spawning.listing().at(place);
        if (flow.syncsBefore(place)) {
            return "before a variable is read that waits for a result; one is put in";
        }
        if (element instanceof ReturnInstruction && flow.isOpen(place)) {
            return "before this return, and there are spawned calls; one is put in";
        }
        return flow.open(place)
                .filter(site -> reads(element, site))
                .findFirst()
                .map(site -> tooEarly(site, element))
                .orElse(null);
    }

    private String tooEarly(Site site, CodeElement element) {
        var what =
                element instanceof FieldInstruction field
                        ? "before the field " + field.name() + " is read that waits"
                        : "before an element is read that may wait";
        return what
                + " for the result of "
                + site.call().name()
                + spawning.line(site.place())
                + "; it has not come";
    }

    private static boolean reads(CodeElement element, Site site) {
        return switch (element) {
            case FieldInstruction read ->
                    (read.opcode() == Opcode.GETFIELD || read.opcode() == Opcode.GETSTATIC)
                            && site.store() instanceof FieldInstruction store
                            && store.owner().equals(read.owner())
                            && store.name().equals(read.name());
            case ArrayLoadInstruction read ->
                    site.store() instanceof ArrayStoreInstruction store
                            && store.typeKind() == read.typeKind();
            default -> false;
        };
    }
}
