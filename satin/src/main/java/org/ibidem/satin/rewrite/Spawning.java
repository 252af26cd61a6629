package org.ibidem.satin.rewrite;

import java.lang.classfile.CodeElement;
import java.lang.classfile.Instruction;
import java.lang.classfile.MethodModel;
import java.lang.classfile.Opcode;
import java.lang.classfile.TypeKind;
import java.lang.classfile.instruction.ArrayStoreInstruction;
import java.lang.classfile.instruction.ConvertInstruction;
import java.lang.classfile.instruction.FieldInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.classfile.instruction.StackInstruction;
import java.lang.classfile.instruction.StoreInstruction;
import java.lang.classfile.instruction.TypeCheckInstruction;
import java.lang.constant.ClassDesc;
import java.lang.reflect.AccessFlag;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Which calls of a method are spawned, and where it syncs.
final class Spawning {
    private static final Set<String> BOXES =
            Set.of(
                    "java/lang/Boolean",
                    "java/lang/Byte",
                    "java/lang/Short",
                    "java/lang/Character",
                    "java/lang/Integer",
                    "java/lang/Long",
                    "java/lang/Float",
                    "java/lang/Double");

    /// More would not fit beside what the call's target needs.
    private static final int MOST_ARGUMENTS = 250;

    private final Classes classes;
    private final MethodModel method;
    private final Listing listing;
    private final Returns returns;
    private final Consumer<String> left;
    private final Map<Integer, String> unfit;
    private final Map<Integer, Site> sites = new TreeMap<>();
    private @Nullable Flow flow;

    /// @param first the number of its first call
    /// @param unfit calls that an analysis has found unfit, and why
    /// @param returns what a `return` in an inlet ends
    /// @param left is told which calls are left as they are, and why
    Spawning(
            Classes classes,
            MethodModel method,
            Listing listing,
            int first,
            Map<Integer, String> unfit,
            Returns returns,
            Consumer<String> left) {
        this.classes = classes;
        this.method = method;
        this.listing = listing;
        this.returns = returns;
        this.left = left;
        this.unfit = Map.copyOf(unfit);
        int number = first;
        for (int i = 0; i < listing.size(); i++) {
            if (listing.at(i) instanceof InvokeInstruction call && isMarked(call)) {
                var site = site(number, i, call);
                if (site != null) {
                    sites.put(i, site);
                    number++;
                }
            }
        }
    }

    /// Finds out what may be under way where.
    ///
    /// @throws Unfit when one of the calls cannot be spawned
    /// @throws Refused when what the method does cannot be kept
    void analyse() {
        flow = sites.isEmpty() ? null : new Flow(this);
    }

    /// Where the program has no sync and should have one, as [#analyse] has found.
    List<String> missing() {
        return flow == null ? List.of() : new MissingSyncs(this, flow).said();
    }

    /// What [#analyse] has found.
    Flow flow() {
        return Objects.requireNonNull(flow);
    }

    Listing listing() {
        return listing;
    }

    /// What a `return` in an inlet ends.
    Returns returns() {
        return returns;
    }

    /// The calls by place.
    Map<Integer, Site> sites() {
        return sites;
    }

    /// The local variables that the method's caller has given values, and what they hold.
    Map<Integer, ClassDesc> parameters() {
        var all = new TreeMap<Integer, ClassDesc>();
        int slot = 0;
        if (!method.flags().has(AccessFlag.STATIC)) {
            all.put(slot++, method.parent().orElseThrow().thisClass().asSymbol());
        }
        for (var type : method.methodTypeSymbol().parameterList()) {
            var kind = TypeKind.from(type);
            all.put(slot, type.isPrimitive() ? kind.asLoadable().upperBound() : type);
            slot += kind.slotSize();
        }
        return all;
    }

    /// Whether this is the program's own sync.
    boolean isSync(int place) {
        return listing.at(place) instanceof InvokeInstruction call && isOwn(call, "sync");
    }

    /// Whether this is the program's own abort.
    boolean isAbort(int place) {
        return listing.at(place) instanceof InvokeInstruction call && isOwn(call, "abort");
    }

    private boolean isOwn(InvokeInstruction call, String name) {
        return call.opcode() == Opcode.INVOKEVIRTUAL
                && call.name().equalsString(name)
                && call.type().equalsString("()V")
                && classes.isSatinObject(call.owner().asInternalName());
    }

    private boolean isMarked(InvokeInstruction call) {
        return (call.opcode() == Opcode.INVOKEVIRTUAL || call.opcode() == Opcode.INVOKEINTERFACE)
                && !call.owner().asInternalName().startsWith("[")
                && classes.spawns(
                        call.owner().asInternalName(),
                        call.name().stringValue(),
                        call.type().stringValue());
    }

    private @Nullable Site site(int number, int place, InvokeInstruction call) {
        var why = obstacle(place, call);
        if (why != null) {
            return left(place, call, why);
        }
        if (TypeKind.from(call.typeSymbol().returnType()) == TypeKind.VOID) {
            return new Site(number, call, List.of(), null, place, listing.around(place));
        }
        var conversions = new ArrayList<Instruction>();
        int next = listing.next(place);
        while (next >= 0 && isConversion((Instruction) listing.at(next))) {
            conversions.add((Instruction) listing.at(next));
            next = listing.next(next);
        }
        if (next < 0 || !isStore((Instruction) listing.at(next))) {
            return left(place, call, "its result is used at once, and not put anywhere");
        }
        return new Site(
                number,
                call,
                conversions,
                (Instruction) listing.at(next),
                place,
                listing.around(place));
    }

    private @Nullable String obstacle(int place, InvokeInstruction call) {
        if (method.methodName().stringValue().startsWith("<")) {
            return "it is in a constructor or a static initializer";
        }
        var unfit = obstacleAround(place);
        if (unfit != null) {
            return unfit;
        }
        int slots =
                call.typeSymbol().parameterList().stream()
                        .mapToInt(type -> TypeKind.from(type).slotSize())
                        .sum();
        return slots > MOST_ARGUMENTS ? "it has too many arguments" : null;
    }

    private @Nullable String obstacleAround(int place) {
        if (unfit.containsKey(place)) {
            return unfit.get(place);
        }
        var around = listing.around(place);
        if (around.stream().anyMatch(handler -> handler.catchType().isEmpty())) {
            return "it is inside a try with finally, or synchronized";
        }
        boolean plain =
                new Region(listing, around, List.of())
                        .places().stream().mapToObj(listing::at).noneMatch(this::isSpawnOrSync);
        return plain
                ? null
                : "the catch block around it spawns or syncs, or goes on elsewhere than after the try";
    }

    private boolean isSpawnOrSync(CodeElement element) {
        return element instanceof InvokeInstruction call && (isMarked(call) || isOwn(call, "sync"));
    }

    private @Nullable Site left(int place, InvokeInstruction call, String why) {
        // A bridge hands on what was spawned already.
        if (!method.flags().has(AccessFlag.BRIDGE)) {
            left.accept(where(place) + ": the call of " + call.name() + " is not spawned: " + why);
        }
        return null;
    }

    /// Method and line.
    String where(int place) {
        int line = listing.line(place);
        var type = method.parent().orElseThrow().thisClass().asInternalName().replace('/', '.');
        return type + "." + method.methodName() + (line > 0 ? ", line " + line : "");
    }

    /// ` in line n`, where that is known.
    String line(int place) {
        int line = listing.line(place);
        return line > 0 ? " in line " + line : "";
    }

    private static boolean isConversion(Instruction instruction) {
        return switch (instruction) {
            case ConvertInstruction _ -> true;
            case TypeCheckInstruction check -> check.opcode() == Opcode.CHECKCAST;
            case InvokeInstruction call ->
                    BOXES.contains(call.owner().asInternalName())
                            && (call.name().equalsString("valueOf")
                                    || call.name().stringValue().endsWith("Value"))
                            && call.typeSymbol().parameterCount()
                                    == (call.opcode() == Opcode.INVOKESTATIC ? 1 : 0);
            default -> false;
        };
    }

    private static boolean isStore(Instruction instruction) {
        return switch (instruction) {
            case StoreInstruction _, ArrayStoreInstruction _ -> true;
            case FieldInstruction field ->
                    field.opcode() == Opcode.PUTFIELD || field.opcode() == Opcode.PUTSTATIC;
            case StackInstruction stack ->
                    stack.opcode() == Opcode.POP || stack.opcode() == Opcode.POP2;
            default -> false;
        };
    }
}
