package org.ibidem.satin.rewrite;

import java.lang.classfile.Attributes;
import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeModel;
import java.lang.classfile.Instruction;
import java.lang.classfile.Label;
import java.lang.classfile.attribute.StackMapFrameInfo;
import java.lang.classfile.attribute.StackMapFrameInfo.SimpleVerificationTypeInfo;
import java.lang.classfile.attribute.StackMapFrameInfo.VerificationTypeInfo;
import java.lang.classfile.instruction.BranchInstruction;
import java.lang.classfile.instruction.ConvertInstruction;
import java.lang.classfile.instruction.ExceptionCatch;
import java.lang.classfile.instruction.IncrementInstruction;
import java.lang.classfile.instruction.LabelTarget;
import java.lang.classfile.instruction.LineNumber;
import java.lang.classfile.instruction.LoadInstruction;
import java.lang.classfile.instruction.LookupSwitchInstruction;
import java.lang.classfile.instruction.NopInstruction;
import java.lang.classfile.instruction.ReturnInstruction;
import java.lang.classfile.instruction.StackInstruction;
import java.lang.classfile.instruction.StoreInstruction;
import java.lang.classfile.instruction.SwitchCase;
import java.lang.classfile.instruction.TableSwitchInstruction;
import java.lang.classfile.instruction.ThrowInstruction;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/// The code of a method by place: its elements in order, and who follows whom.
final class Listing {
    private final List<CodeElement> elements;
    private final Map<Label, Integer> places = new HashMap<>();
    private final Set<Label> targets = new HashSet<>();
    private final List<ExceptionCatch> handlers = new ArrayList<>();
    private final Map<Label, StackMapFrameInfo> frames = new HashMap<>();
    private final int[] lines;

    Listing(CodeModel code) {
        elements = code.elementList();
        lines = new int[elements.size()];
        int line = 0;
        for (int i = 0; i < elements.size(); i++) {
            switch (elements.get(i)) {
                case LabelTarget here -> places.put(here.label(), i);
                case LineNumber number -> line = number.line();
                case ExceptionCatch handler -> handlers.add(handler);
                case Instruction instruction -> jumps(instruction).forEach(targets::add);
                default -> {}
            }
            lines[i] = line;
        }
        handlers.forEach(handler -> targets.add(handler.handler()));
        code.findAttribute(Attributes.stackMapTable())
                .ifPresent(
                        maps -> maps.entries().forEach(frame -> frames.put(frame.target(), frame)));
    }

    /// The slots that have a value at a target of jumps, as the compiler says: those of the
    /// variables in scope.
    BitSet inScope(Label target) {
        var slots = new BitSet();
        var frame = frames.get(target);
        int slot = 0;
        for (var type : frame == null ? List.<VerificationTypeInfo>of() : frame.locals()) {
            boolean isWide =
                    type.equals(SimpleVerificationTypeInfo.LONG)
                            || type.equals(SimpleVerificationTypeInfo.DOUBLE);
            int next = slot + (isWide ? 2 : 1);
            slots.set(slot, next, !type.equals(SimpleVerificationTypeInfo.TOP));
            slot = next;
        }
        return slots;
    }

    int size() {
        return elements.size();
    }

    CodeElement at(int place) {
        return elements.get(place);
    }

    /// The line of the source; 0 where the class file does not say.
    int line(int place) {
        return lines[place];
    }

    /// The first instruction after this place, where nothing else can jump to; -1: there is none.
    int next(int place) {
        for (int i = place + 1; i < size(); i++) {
            if (elements.get(i) instanceof Instruction) {
                return i;
            }
            if (elements.get(i) instanceof LabelTarget here && targets.contains(here.label())) {
                return -1;
            }
        }
        return -1;
    }

    /// The last instruction before this place, where nothing jumps in between; -1: there is none.
    int previous(int place) {
        for (int i = place - 1; i >= 0; i--) {
            if (elements.get(i) instanceof Instruction) {
                return i;
            }
            if (elements.get(i) instanceof LabelTarget here && targets.contains(here.label())) {
                return -1;
            }
        }
        return -1;
    }

    /// What may catch what is thrown at this place, in the order in which it is tried.
    List<ExceptionCatch> around(int place) {
        return handlers.stream().filter(handler -> covers(handler, place)).toList();
    }

    /// The first instruction at this place or after it; the size where there is none.
    int instruction(int place) {
        int at = place;
        while (at < size() && !(elements.get(at) instanceof Instruction)) {
            at++;
        }
        return at;
    }

    private boolean covers(ExceptionCatch handler, int place) {
        return place(handler.tryStart()) <= place && place < place(handler.tryEnd());
    }

    int place(Label label) {
        var place = places.get(label);
        return place == null ? size() : place;
    }

    /// Where control may go from this place.
    List<Integer> followers(int place) {
        return followers(place, List.of());
    }

    /// The same, but for these handlers.
    List<Integer> followers(int place, List<ExceptionCatch> without) {
        var all = new ArrayList<Integer>();
        if (!(elements.get(place) instanceof Instruction instruction)) {
            all.add(place + 1);
            return all;
        }
        if (!endsHere(instruction)) {
            all.add(place + 1);
        }
        jumps(instruction).map(this::place).forEach(all::add);
        if (mayThrow(place)) {
            around(place).stream()
                    .filter(handler -> !without.contains(handler))
                    .map(handler -> place(handler.handler()))
                    .forEach(all::add);
        }
        return all;
    }

    /// Whether a handler around this place is of use.
    boolean mayThrow(int place) {
        return switch (elements.get(place)) {
            case LoadInstruction _,
                    StoreInstruction _,
                    IncrementInstruction _,
                    StackInstruction _,
                    BranchInstruction _,
                    ConvertInstruction _,
                    NopInstruction _ ->
                    false;
            case Instruction _ -> true;
            default -> false;
        };
    }

    private static boolean endsHere(Instruction instruction) {
        return switch (instruction) {
            case BranchInstruction branch ->
                    switch (branch.opcode()) {
                        case GOTO, GOTO_W -> true;
                        default -> false;
                    };
            case LookupSwitchInstruction _,
                    TableSwitchInstruction _,
                    ReturnInstruction _,
                    ThrowInstruction _ ->
                    true;
            default -> false;
        };
    }

    private static Stream<Label> jumps(Instruction instruction) {
        return switch (instruction) {
            case BranchInstruction branch -> Stream.of(branch.target());
            case LookupSwitchInstruction choice ->
                    Stream.concat(
                            Stream.of(choice.defaultTarget()),
                            choice.cases().stream().map(SwitchCase::target));
            case TableSwitchInstruction choice ->
                    Stream.concat(
                            Stream.of(choice.defaultTarget()),
                            choice.cases().stream().map(SwitchCase::target));
            default -> Stream.empty();
        };
    }
}
