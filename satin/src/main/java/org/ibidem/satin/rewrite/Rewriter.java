package org.ibidem.satin.rewrite;

import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.CodeModel;
import java.lang.classfile.MethodModel;
import java.lang.classfile.attribute.CodeAttribute;
import java.lang.classfile.instruction.FieldInstruction;
import java.lang.constant.ClassDesc;
import java.lang.reflect.AccessFlag;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Rewrites the classes of a program so that their calls of spawnable methods are spawned.
public final class Rewriter {
    /// The oldest class files whose stack maps the verifier reads, and which have no subroutines.
    private static final int WITH_MAPS = ClassFile.JAVA_7_VERSION;

    private final Classes classes;
    private final Returns returns;
    private final Consumer<String> left;
    private final Consumer<String> missing;

    /// One for the classes of a program.
    ///
    /// @param files from a class's internal name (`java/lang/String`) to its class file, for those
    ///   of the program and all they refer to; null where there is none
    /// @param returns what a `return` in an inlet ends
    /// @param left is told which calls of spawnable methods stay ordinary calls, where and why
    public Rewriter(
            Function<String, byte @Nullable []> files, Returns returns, Consumer<String> left) {
        this(files, returns, left, _ -> {});
    }

    /// The same.
    ///
    /// @param missing is told where the program has no sync and should have one
    public Rewriter(
            Function<String, byte @Nullable []> files,
            Returns returns,
            Consumer<String> left,
            Consumer<String> missing) {
        this.classes = new Classes(files);
        this.returns = returns;
        this.left = left;
        this.missing = missing;
    }

    /// The class whose rewriting makes this class, where it is one of those that are made; itself
    /// for others.
    ///
    /// @param name of a class, as in a program
    public static String madeWith(String name) {
        return Names.owner(name);
    }

    /// Rewrites a class.
    ///
    /// @param file the class file
    /// @return by name, as in a program: it, and the classes made for its calls; it alone when it
    ///   has a static initializer that might spawn, and nothing when there is nothing to be
    ///   rewritten
    /// @throws Refused when what was rewritten would be wrong
    /// @throws IllegalArgumentException when it is no class file
    public Map<String, byte[]> rewrite(byte[] file) {
        var files = ClassFile.of(ClassFile.ClassHierarchyResolverOption.of(classes.resolver()));
        var model = files.parse(file);
        var name = name(model.thisClass().asSymbol());
        if (!madeWith(name).equals(name)) {
            return Map.of(); // Made by rewriting before.
        }
        if (classes.isShared(model.thisClass().asInternalName())) {
            return shared(files, model);
        }
        var found = new LinkedHashMap<MethodModel, Spawning>();
        int number = 1;
        for (var method : model.methods()) {
            var code = method.code();
            if (code.isPresent() && !method.flags().has(AccessFlag.BRIDGE)) {
                var spawning = spawning(model, method, new Listing(code.get()), number);
                if (!spawning.sites().isEmpty()) {
                    found.put(method, spawning);
                    number += spawning.sites().size();
                }
            }
        }
        if (!found.isEmpty()) {
            return rewritten(files, model, found);
        }
        return Initializers.isTouchy(model) ? initializing(files, model, name) : Map.of();
    }

    /// A class whose static initializer might spawn. One whose frames cannot be made anew, as a
    /// class is not there that a library can do without, stays as it is.
    private static Map<String, byte[]> initializing(
            ClassFile files, ClassModel model, String name) {
        try {
            return Map.of(name, files.transformClass(model, Initializers.transform(model)));
        } catch (IllegalArgumentException e) {
            return Map.of();
        }
    }

    /// A class of shared objects, with its write methods.
    private Map<String, byte[]> shared(ClassFile files, ClassModel model) {
        var owner = model.thisClass().asSymbol();
        var writes = new LinkedHashMap<MethodModel, WriteClass>();
        for (var method : model.methods()) {
            if (method.code().isPresent()
                    && !method.flags().has(AccessFlag.BRIDGE)
                    && !method.flags().has(AccessFlag.STATIC)
                    && classes.writes(model.thisClass().asInternalName(), method)) {
                writes.put(method, new WriteClass(owner, method, writes.size() + 1));
            }
        }
        if (writes.isEmpty()) {
            return Map.of();
        }
        requireMaps(model);
        var all = new LinkedHashMap<String, byte[]>();
        ClassTransform transform =
                (type, element) -> {
                    var write = element instanceof MethodModel method ? writes.get(method) : null;
                    if (write == null) {
                        type.with(element);
                    } else {
                        write.replace(type);
                    }
                };
        all.put(name(owner), files.transformClass(model, transform));
        writes.values().forEach(write -> all.put(name(write.name()), write.bytes(files)));
        return all;
    }

    private static void requireMaps(ClassModel model) {
        if (model.majorVersion() < WITH_MAPS) {
            throw new Refused(
                    name(model.thisClass().asSymbol())
                            + " is a class file of version "
                            + model.majorVersion()
                            + ": compile it for Java 7 or newer (51)");
        }
    }

    /// With calls left out until what is left fits.
    private Spawning spawning(ClassModel model, MethodModel method, Listing listing, int first) {
        var unfit = new HashMap<Integer, String>();
        while (true) {
            var said = new ArrayList<String>();
            var spawning = new Spawning(classes, method, listing, first, unfit, returns, said::add);
            if (!spawning.sites().isEmpty()) {
                requireMaps(model); // First, as the analysis knows no subroutines.
            }
            try {
                spawning.analyse();
                said.forEach(left);
                spawning.missing().forEach(missing);
                return spawning;
            } catch (Unfit e) {
                unfit.put(e.place(), e.why());
            }
        }
    }

    private Map<String, byte[]> rewritten(
            ClassFile files, ClassModel model, Map<MethodModel, Spawning> found) {
        var owner = model.thisClass().asSymbol();
        var jobs = new LinkedHashMap<Site, JobClass>();
        boolean isInterface = model.flags().has(AccessFlag.INTERFACE);
        for (var spawning : found.values()) {
            for (var site : spawning.sites().values()) {
                jobs.put(site, new JobClass(owner, isInterface, site, isGuarded(site)));
            }
        }
        var all = new LinkedHashMap<String, byte[]>();
        all.put(
                name(owner),
                files.transformClass(
                        model,
                        transform(found, jobs)
                                .andThen(stores(jobs))
                                .andThen(Initializers.transform(model))));
        jobs.values().forEach(job -> all.put(name(job.name()), job.bytes(files)));
        return all;
    }

    private boolean isGuarded(Site site) {
        var call = site.call();
        return classes.isGuarded(
                call.owner().asInternalName(), call.name().stringValue(), call.typeSymbol());
    }

    private static String name(ClassDesc type) {
        var text = type.descriptorString();
        return text.substring(1, text.length() - 1).replace('/', '.');
    }

    private static ClassTransform transform(
            Map<MethodModel, Spawning> found, Map<Site, JobClass> jobs) {
        return (type, element) -> {
            var spawning = element instanceof MethodModel method ? found.get(method) : null;
            if (spawning == null) {
                type.with(element);
                return;
            }
            type.transformMethod(
                    (MethodModel) element,
                    (method, part) -> {
                        if (part instanceof CodeModel code) {
                            int locals = ((CodeAttribute) code).maxLocals();
                            method.transformCode(
                                    code, new MethodCode(spawning, spawning.flow(), jobs, locals));
                        } else {
                            method.with(part);
                        }
                    });
        };
    }

    private static ClassTransform stores(Map<Site, JobClass> jobs) {
        return ClassTransform.endHandler(type ->
                jobs.forEach((site, job) -> {
                    if (site.store() instanceof FieldInstruction field) {
                        job.store(type, field);
                    }
                }));
    }
}
