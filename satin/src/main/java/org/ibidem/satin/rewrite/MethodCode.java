package org.ibidem.satin.rewrite;

import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeTransform;
import java.lang.classfile.Label;
import java.lang.classfile.TypeKind;
import java.lang.classfile.instruction.ReturnInstruction;
import java.lang.classfile.instruction.SwitchCase;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Writes a method that spawns anew. It gets a local variable for the newest job that it has not
/// synced:
///
/// ```
/// x = fib(n - 1);      newest = Job.spawn(Fib$$Spawn1.of(this, n - 1), newest); x = 0;
/// sync();              for (job = Job.sync(newest); job != null; job = job.following())
///                          switch (job.site()) { case 1: x = ((Fib$$Spawn1) job).result; … }
/// return x + y;        Job.sync(newest); return x + y;
/// ```
///
/// and around all of it a handler that aborts what was not synced when the method ends by an
/// exception. Where jobs may fail that have inlets, sync begins with
///
/// ```
/// while ((job = Job.failed(newest)) != null) { … the job's inlet ([InletCode]) … }
/// ```
///
/// Variables that have none are given a value where they are to wait for one, since the verifier
/// wants to see one; nobody reads it ([Flow]). Others keep theirs, in case that the call fails.
final class MethodCode implements CodeTransform {
    /// The slots of a long or a double.
    private static final int WIDEST = 2;

    private final Spawning spawning;
    private final Flow flow;
    private final Map<Site, JobClass> jobs;
    private final InletCode inlets;
    private final int newest;
    private final int job;
    private final int returned;
    private final Set<Integer> replaced = new HashSet<>();
    private int place;
    private @Nullable Label start;

    MethodCode(Spawning spawning, Flow flow, Map<Site, JobClass> jobs, int locals) {
        this.spawning = spawning;
        this.flow = flow;
        this.jobs = jobs;
        this.newest = locals;
        this.job = locals + 1;
        this.returned = locals + 2;
        this.inlets = new InletCode(spawning, newest, job, returned + WIDEST);
        spawning.sites()
                .forEach((call, site) -> {
                    int at = call;
                    for (int more = site.conversions().size() + (site.isVoid() ? 0 : 1);
                            more > 0;
                            more--) {
                        at = spawning.listing().next(at);
                        replaced.add(at);
                    }
                });
    }

    @Override
    public void atStart(CodeBuilder code) {
        code.aconst_null().astore(newest);
        start = code.newBoundLabel();
    }

    @Override
    public void accept(CodeBuilder code, CodeElement element) {
        int here = place++;
        if (flow.syncsBefore(here)) {
            sync(code, here);
        }
        var site = spawning.sites().get(here);
        if (site != null) {
            spawn(code, site);
        } else if (spawning.isSync(here)) {
            code.pop();
            if (flow.isOpen(here)) {
                inlets(code, here);
                sync(code, here);
            }
        } else if (spawning.isAbort(here)) {
            inlets.abort(code.pop());
        } else if (!replaced.contains(here)) {
            if (element instanceof ReturnInstruction end && flow.isOpen(here)) {
                leave(code, here, end.typeKind());
            }
            code.with(element);
        }
    }

    private void leave(CodeBuilder code, int here, TypeKind kind) {
        if (flow.inlets(here).isEmpty()) {
            all(code).pop();
            return;
        }
        // What is thrown for an inlet clears the stack.
        if (kind != TypeKind.VOID) {
            code.storeLocal(kind, returned);
        }
        inlets(code, here);
        all(code).pop();
        if (kind != TypeKind.VOID) {
            code.loadLocal(kind, returned);
        }
    }

    private void inlets(CodeBuilder code, int here) {
        var sites = flow.inlets(here);
        if (!sites.isEmpty()) {
            inlets.await(code, here, sites);
        }
    }

    @Override
    public void atEnd(CodeBuilder code) {
        inlets.write(code);
        var end = code.newBoundLabel();
        if (start != null) {
            code.exceptionCatchAll(start, end, end);
        }
        inlets.abort(code).athrow();
    }

    private void spawn(CodeBuilder code, Site site) {
        var made = job(site);
        code.invokestatic(made.name(), "of", made.made())
                .aload(newest)
                .invokestatic(Names.JOB, "spawn", Names.SPAWN)
                .astore(newest);
        if (site.isLocal() && !flow.keeps(site)) {
            var kind = site.kind();
            zero(code, kind).storeLocal(kind, site.slot());
        }
    }

    private JobClass job(Site site) {
        return Objects.requireNonNull(jobs.get(site));
    }

    private static CodeBuilder zero(CodeBuilder code, TypeKind kind) {
        return switch (kind) {
            case LONG -> code.lconst_0();
            case FLOAT -> code.fconst_0();
            case DOUBLE -> code.dconst_0();
            case REFERENCE -> code.aconst_null();
            default -> code.iconst_0();
        };
    }

    /// Leaves the oldest job on the stack. What is synced is nothing to abort, should one of them
    /// have failed.
    private CodeBuilder all(CodeBuilder code) {
        return code.aload(newest)
                .aconst_null()
                .astore(newest)
                .invokestatic(Names.JOB, "sync", Names.SYNC);
    }

    private void sync(CodeBuilder code, int here) {
        var sites = flow.delivered(here);
        all(code);
        if (sites.isEmpty()) {
            code.pop();
            return;
        }
        var next = code.newLabel();
        var done = code.newLabel();
        var loop = code.astore(job).newBoundLabel();
        code.aload(job).ifnull(done);
        var cases = cases(code, sites);
        code.aload(job)
                .invokevirtual(Names.JOB, "site", Names.NUMBER)
                .lookupswitch(next, List.copyOf(cases.values()));
        cases.forEach((site, choice) -> {
            var made = job(site);
            var kind = site.kind();
            code.labelBinding(choice.target()).aload(job).checkcast(made.name());
            made.converted(code);
            code.storeLocal(kind, site.slot()).goto_(next);
        });
        code.labelBinding(next)
                .aload(job)
                .invokevirtual(Names.JOB, "following", Names.FOLLOWING)
                .astore(job)
                .goto_(loop)
                .labelBinding(done);
    }

    private static Map<Site, SwitchCase> cases(CodeBuilder code, List<Site> sites) {
        var cases = new LinkedHashMap<Site, SwitchCase>();
        for (var site : sites) {
            cases.put(site, SwitchCase.of(site.number(), code.newLabel()));
        }
        return cases;
    }
}
