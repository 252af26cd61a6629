package org.ibidem.satin.rewrite;

import java.lang.classfile.CodeBuilder;
import java.lang.classfile.Instruction;
import java.lang.classfile.Label;
import java.lang.classfile.instruction.BranchInstruction;
import java.lang.classfile.instruction.ExceptionCatch;
import java.lang.classfile.instruction.IncrementInstruction;
import java.lang.classfile.instruction.LabelTarget;
import java.lang.classfile.instruction.LineNumber;
import java.lang.classfile.instruction.LoadInstruction;
import java.lang.classfile.instruction.LookupSwitchInstruction;
import java.lang.classfile.instruction.ReturnInstruction;
import java.lang.classfile.instruction.StoreInstruction;
import java.lang.classfile.instruction.SwitchCase;
import java.lang.classfile.instruction.TableSwitchInstruction;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Writes inlets, behind the method's own code: for each sync that may find a job that has failed,
/// the throwing of what it threw, and a copy of the catch blocks around its call:
///
/// ```
/// switch (job.site()) { case 3: try { throw job.taken(); } catch … as around the call; … }
/// ```
///
/// Where a catch block goes on after its `try`, its copy goes back to the sync. A `return` in it
/// aborts what is open, and so does all that leaves it by an exception. What is caught around the
/// sync, too, is no inlet: it is aborted, and caught there. Unless [a `return` ends the
/// inlet][Returns#INLET]: then it goes back to the sync as well, and all are inlets.
final class InletCode {
    private final Spawning spawning;
    private final Listing listing;
    private final int newest;
    private final int job;
    private final int copied;
    private final List<Wait> waits = new ArrayList<>();

    /// A sync that runs inlets.
    ///
    /// @param place of the sync
    /// @param begin where it asks whether a job has failed
    /// @param failed where it goes to when one has
    private record Wait(int place, List<Site> sites, Label begin, Label failed) {}

    /// @param newest the local variable of the newest job
    /// @param job one for the job that has failed
    /// @param copied the first of those that copies have for themselves, one for each slot
    InletCode(Spawning spawning, int newest, int job, int copied) {
        this.spawning = spawning;
        this.listing = spawning.listing();
        this.newest = newest;
        this.job = job;
        this.copied = copied;
    }

    CodeBuilder abort(CodeBuilder code) {
        return code.aload(newest).invokestatic(Names.JOB, "abort", Names.ABORT);
    }

    private boolean endsInlet() {
        return spawning.returns() == Returns.INLET;
    }

    /// Waits until all have ended, and runs the inlets of those that fail.
    void await(CodeBuilder code, int place, List<Site> sites) {
        var wait = new Wait(place, sites, code.newBoundLabel(), code.newLabel());
        waits.add(wait);
        code.aload(newest)
                .invokestatic(Names.JOB, "failed", Names.FAILED)
                .dup()
                .astore(job)
                .ifnonnull(wait.failed());
    }

    /// Behind the method's own code.
    void write(CodeBuilder code) {
        waits.forEach(wait -> new Writing(code, wait).write());
    }

    /// Of one sync.
    private final class Writing {
        private final CodeBuilder code;
        private final Wait wait;
        private final List<ExceptionCatch> outside;
        private final Map<ExceptionCatch, Label> stubs = new HashMap<>();
        private final Map<ExceptionCatch, Label> copies = new HashMap<>();

        private Writing(CodeBuilder code, Wait wait) {
            this.code = code;
            this.wait = wait;
            this.outside = spawning.flow().outside(wait.place());
        }

        private void write() {
            var cases = new LinkedHashMap<Site, SwitchCase>();
            for (var site : wait.sites()) {
                cases.put(site, SwitchCase.of(site.number(), code.newLabel()));
            }
            code.labelBinding(wait.failed())
                    .aload(job)
                    .invokevirtual(Names.JOB, "site", Names.NUMBER)
                    .lookupswitch(
                            cases.values().iterator().next().target(), List.copyOf(cases.values()));
            cases.forEach((site, choice) -> {
                code.labelBinding(choice.target());
                inlet(site);
            });
            // Last, as copies ask for them, too.
            List.copyOf(stubs.entrySet()).forEach(stub -> stub(stub.getKey(), stub.getValue()));
        }

        private void inlet(Site site) {
            copies.clear();
            var begin = code.newBoundLabel();
            code.aload(job).invokevirtual(Names.JOB, "taken", Names.TAKEN).athrow();
            var end = code.newBoundLabel();
            site.around().forEach(handler -> caught(begin, end, handler));
            var inlets = site.around().stream().filter(one -> !outside.contains(one)).toList();
            if (!inlets.isEmpty()) {
                var own = spawning.flow().own(site, wait.place());
                new Copy(new Region(listing, inlets, outside), own).write();
            }
        }

        private void caught(Label begin, Label end, ExceptionCatch handler) {
            var target = outside.contains(handler) ? stubs : copies;
            var label = target.computeIfAbsent(handler, _ -> code.newLabel());
            handler.catchType()
                    .ifPresentOrElse(
                            type -> code.exceptionCatch(begin, end, label, type.asSymbol()),
                            () -> code.exceptionCatchAll(begin, end, label));
        }

        private void stub(ExceptionCatch handler, Label label) {
            code.labelBinding(label);
            abort(code).aconst_null().astore(newest).goto_(handler.handler());
        }

        /// Of the catch blocks around one call.
        private final class Copy {
            private final Region region;
            private final BitSet own;
            private final Map<Label, Label> labels = new HashMap<>();

            /// @param own places with local variables that are the copy's own
            private Copy(Region region, BitSet own) {
                this.region = region;
                this.own = own;
            }

            private Label label(Label original) {
                int place = listing.place(original);
                return region.places().get(place)
                        ? labels.computeIfAbsent(original, _ -> code.newLabel())
                        : wait.begin();
            }

            private void write() {
                var places = region.places();
                for (int i = places.nextSetBit(0); i >= 0; i = places.nextSetBit(i + 1)) {
                    var begin = code.newBoundLabel();
                    element(i);
                    if (listing.mayThrow(i)) {
                        var end = code.newBoundLabel();
                        listing.around(i).forEach(handler -> caught(begin, end, handler));
                    }
                    if (!places.get(i + 1) && listing.followers(i).contains(i + 1)) {
                        code.goto_(wait.begin());
                    }
                }
                copies.forEach((handler, label) -> {
                    code.labelBinding(label).goto_(label(handler.handler()));
                });
            }

            private void element(int place) {
                if (spawning.isAbort(place)) {
                    abort(code.pop());
                    return;
                }
                switch (listing.at(place)) {
                    case LabelTarget here -> code.labelBinding(label(here.label()));
                    case BranchInstruction jump -> code.branch(jump.opcode(), label(jump.target()));
                    case LookupSwitchInstruction choice ->
                            code.lookupswitch(label(choice.defaultTarget()), cases(choice.cases()));
                    case TableSwitchInstruction choice ->
                            code.tableswitch(
                                    choice.lowValue(),
                                    choice.highValue(),
                                    label(choice.defaultTarget()),
                                    cases(choice.cases()));
                    case ReturnInstruction end -> leave(end);
                    case LineNumber line -> code.with(line);
                    case StoreInstruction store when own.get(place) ->
                            code.storeLocal(store.typeKind(), copied + store.slot());
                    case LoadInstruction load when own.get(place) ->
                            code.loadLocal(load.typeKind(), copied + load.slot());
                    case IncrementInstruction add when own.get(place) ->
                            code.iinc(copied + add.slot(), add.constant());
                    case Instruction other -> code.with(other);
                    default -> {}
                }
            }

            private void leave(ReturnInstruction end) {
                if (!endsInlet()) {
                    abort(code).with(end);
                    return;
                }
                switch (end.typeKind()) {
                    case VOID -> {}
                    case LONG, DOUBLE -> code.pop2();
                    default -> code.pop();
                }
                code.goto_(wait.begin());
            }

            private List<SwitchCase> cases(List<SwitchCase> all) {
                return all.stream()
                        .map(one -> SwitchCase.of(one.caseValue(), label(one.target())))
                        .toList();
            }
        }
    }
}
