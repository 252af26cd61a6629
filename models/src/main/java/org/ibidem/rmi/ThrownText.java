package org.ibidem.rmi;

import java.io.InvalidClassException;
import java.rmi.RemoteException;
import java.util.ArrayDeque;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.ibidem.Visible;
import org.jspecify.annotations.Nullable;

/// What is said of an exception beside the object: its class, its message and its trace, as people
/// read them. A caller that does not let the object in has at least these.
///
/// ```
/// com.example.NoSuchAccount: 17
/// <tab>at com.example.Bank.take(Bank.java:41)
/// ```
///
/// @param text its class and message
/// @param trace where it was thrown, as far as that was said
record ThrownText(String text, StackTraceElement[] trace) {
    private static final int LONGEST_TRACE = 4096;
    private static final String AT = "\n\tat ";
    private static final String NATIVE = "Native Method";
    private static final String UNKNOWN = "Unknown Source";
    private static final int NATIVE_LINE = -2;
    private static final Pattern FRAME =
            Pattern.compile("([^()\n]+)[.]([^.()\n]+)[(]([^()\n:]*)(?::(\\d{1,9}))?[)]");

    /// What to say of an exception.
    static String of(Throwable thrown) {
        var text = new StringBuilder(Words.brief(thrown));
        int most = text.length() + LONGEST_TRACE;
        for (var each : thrown.getStackTrace()) {
            var line = AT + line(each);
            if (text.length() + line.length() > most) {
                break;
            }
            text.append(line);
        }
        return text.toString();
    }

    /// Without loader and module: those are of the other process.
    private static String line(StackTraceElement each) {
        var file = each.getFileName();
        var place = file == null ? UNKNOWN : file;
        if (each.isNativeMethod()) {
            place = NATIVE;
        } else if (file != null && each.getLineNumber() >= 0) {
            place += ":" + each.getLineNumber();
        }
        return each.getClassName() + "." + each.getMethodName() + "(" + place + ")";
    }

    /// What was said: the lines at the end that are of a trace are one. Control characters are
    /// written out, as the text is of another process.
    static ThrownText parse(String said) {
        var trace = new ArrayDeque<StackTraceElement>();
        int end = said.length();
        for (int at = said.lastIndexOf(AT); at >= 0; at = said.lastIndexOf(AT, end - 1)) {
            var frame = FRAME.matcher(said).region(at + AT.length(), end);
            if (said.length() - at > LONGEST_TRACE || !frame.matches()) {
                break;
            }
            trace.addFirst(element(frame));
            end = at;
        }
        return new ThrownText(
                Visible.of(said.substring(0, end)), trace.toArray(StackTraceElement[]::new));
    }

    private static StackTraceElement element(Matcher frame) {
        var place = Visible.of(frame.group(3));
        var line = frame.group(4);
        boolean isNative = place.equals(NATIVE);
        return new StackTraceElement(
                Visible.of(frame.group(1)),
                Visible.of(frame.group(2)),
                isNative || place.equals(UNKNOWN) ? null : place,
                isNative ? NATIVE_LINE : line == null ? -1 : Integer.parseInt(line));
    }

    /// Has an exception that stands for what was thrown say where that was.
    <T extends RemoteException> T traced(T instead) {
        if (trace.length > 0) {
            instead.setStackTrace(trace);
        }
        return instead;
    }

    /// What to do where a class was not let in; empty: that is not the matter.
    static String advice(@Nullable Throwable why) {
        return why instanceof InvalidClassException refused && refused.classname != null
                ? "; to let it in there: --java=-Dibidem.rmi.allow="
                        + refused.classname
                        + ", or Rmi.Options.policy"
                : "";
    }
}
